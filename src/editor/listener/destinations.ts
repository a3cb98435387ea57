import * as vscode from 'vscode';
import {
  type DestinationAnswers,
  type ForwardTarget,
  type Leave,
  leaveFor,
  refusedError,
} from '../../model/deliveries/destination.ts';
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
      onConfigChange([settingIds.listenerForwardTo, settingIds.listenerPublicUrl], changed),
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
    );
  }

  /** Where arriving deliveries are forwarded to. */
  get forward(): ForwardTarget {
    const { holds } = config.forwardTo();
    if (holds === '') return { kind: 'off' };
    try {
      const to = parseHttpUrl(holds);
      return { kind: this.leaveFor(to), to: to.href };
    } catch {
      return { kind: 'invalid', text: holds };
    }
  }

  leaveFor(to: URL): Leave {
    const ofUser = [config.forwardTo().ofUser, config.publicUrl()];
    return leaveFor(to, ofUser, this.#answers());
  }

  /**
   * The address that deliveries are to go to, asked for where the user has not answered for it yet. Leave is
   * remembered; whoever closes the question is asked again the next time.
   * @throws DeclinedError where the user gives no leave, UserError where the address was refused before
   */
  async allow(address: string): Promise<URL> {
    const to = parseHttpUrl(address);
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
