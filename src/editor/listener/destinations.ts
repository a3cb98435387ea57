import * as vscode from 'vscode';
import {
  type DestinationAnswers,
  type ForwardTarget,
  type ForwardTargets,
  type Leave,
  leaveFor,
  refusedError,
  targetOf,
} from '../../model/deliveries/destination.ts';
import { forwardTargets } from '../../model/routes/forwardTargets.ts';
import { setRoutes, type Unheeded } from '../../model/routes/routePlaces.ts';
import { parseHttpUrl } from '../../model/service/endpoints.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { config, onConfigChange } from '../config.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { settingIds } from '../ids.ts';
import type { Prompts } from '../prompts/prompts.ts';

const answersKey = 'destinations';

/** Where deliveries may go: the one place that forwarding, replays, test deliveries and fixtures ask. */
export class Destinations implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #prompts: Prompts;
  readonly #changed = new vscode.EventEmitter<void>();
  /** A setting, the trust in the workspace, or what the user has answered. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;

  /** @param memento of the workspace: an answer holds there alone */
  constructor(memento: vscode.Memento, prompts: Prompts) {
    this.#memento = memento;
    this.#prompts = prompts;
    const changed = () => this.#changed.fire();
    this.#subscriptions = vscode.Disposable.from(
      onConfigChange(
        // The apps of a folder are those of its projects.
        [
          settingIds.listenerForwardTo,
          settingIds.listenerRoutes,
          settingIds.listenerPublicUrl,
          settingIds.projects,
        ],
        changed,
      ),
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
    );
  }

  /** Where arriving deliveries are forwarded to, by their apps. */
  get forward(): ForwardTargets {
    return forwardTargets(config.routePlaces(), (to) => this.leaveFor(to));
  }

  /** Where a delivery of that app is forwarded to. */
  forwardOf(appName: string | undefined): ForwardTarget {
    return targetOf(appName, this.forward);
  }

  /** What of the settings counts for nothing. */
  get unheeded(): readonly Unheeded[] {
    return setRoutes(config.routePlaces()).unheeded;
  }

  leaveFor(to: URL): Leave {
    const { forwardTo = '', routes } = config.routePlaces().ofUser;
    return leaveFor(to, [forwardTo, ...routes.values(), config.publicUrl()], this.#answers());
  }

  /**
   * The address that deliveries are to go to, asked for where the user has not answered for it yet. Leave is
   * remembered; whoever closes the question is asked again the next time.
   * @throws DeclinedError where the user gives no leave, UserError where the address was refused before
   */
  async allow(address: string): Promise<URL> {
    const to = parseHttpUrl(address, address, [{ kind: 'setForwardTo' }]);
    const shown = plainText(to.href, 300);
    const leave = this.leaveFor(to);
    // guard: the address is asked for, whatever the argument says
    if (leave === 'given') return to;
    if (leave === 'refused') throw refusedError(shown);
    const question = t('Send deliveries of this workspace to {0}?', shown);
    const detail = t(
      'It is not on this machine, and not in your user settings. Deliveries hold what your apps return, signed with your webhook secret.',
    );
    if (!(await this.#prompts.confirm(question, detail, t('Allow')))) {
      throw new DeclinedError(t('Nothing was sent to {0}.', shown));
    }
    await this.answer(to.href, true);
    return to;
  }

  /** Remembers what the user has answered for an address. */
  async answer(href: string, allowed: boolean): Promise<void> {
    await this.#memento.update(answersKey, { ...this.#answers(), [href]: allowed });
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  #answers(): DestinationAnswers {
    return this.#memento.get<DestinationAnswers>(answersKey, {});
  }
}
