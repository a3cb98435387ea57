import * as vscode from 'vscode';
import {
  type DestinationAnswers,
  type ForwardTarget,
  type ForwardTargets,
  type Permission,
  permissionFor,
  refusedError,
  targetOf,
} from '../../deliveries/destination.ts';
import { ReadOnce } from '../../shared/async/loadOnce.ts';
import {
  type RoutePlaces,
  type UnusedRoute,
  forwardTargets,
  setRoutes,
} from '../../deliveries/routes/routesThatCount.ts';
import { typedAddress, writtenAddress } from '../../service/typedAddress.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { config, onConfigChange } from '../kit/config.ts';
import { DeclinedError, type Prompts } from '../kit/prompts.ts';
import { settingIds } from '../kit/ids.ts';

const answersKey = 'destinations';

/** Decides where deliveries may go. Forwarding, replays, test deliveries and fixtures all ask here. */
export class Destinations implements vscode.Disposable {
  readonly #memento: vscode.Memento;
  readonly #prompts: Prompts;
  readonly #changed = new vscode.EventEmitter<void>();
  /** What follows from the settings and the answers. There may be an address for each of many apps. */
  readonly #read = new ReadOnce();
  /** The settings that it was read of. */
  #readOf: RoutePlaces | undefined;
  /** Fires when a setting, the workspace trust or an answer of the user changes. */
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable;

  /** @param memento that of the workspace: an answer holds for this workspace only */
  constructor(memento: vscode.Memento, prompts: Prompts) {
    this.#memento = memento;
    this.#prompts = prompts;
    const changed = () => this.#changed.fire();
    this.#subscriptions = vscode.Disposable.from(
      onConfigChange(
        // A folder's apps are the apps of its projects.
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

  /** Where incoming deliveries are forwarded, by app. */
  get forward(): ForwardTargets {
    const places = this.#places();
    return this.#read.of('forward', () => forwardTargets(places, (to) => this.permissionFor(to)));
  }

  /** Where a delivery of the app is forwarded. */
  forwardOf(appName: string | undefined): ForwardTarget {
    return targetOf(appName, this.forward);
  }

  /** The settings that have no effect. */
  get unused(): readonly UnusedRoute[] {
    return setRoutes(this.#places()).unused;
  }

  permissionFor(to: URL): Permission {
    return permissionFor(to, this.#ofUser(), this.#answers());
  }

  /**
   * Checks an address before deliveries go there, and asks the user if there is no answer for it yet. Permission
   * is remembered. A user who closes the question is asked again the next time.
   * @throws DeclinedError if the user does not allow it, UserError if the address was refused before
   */
  async allow(address: string): Promise<URL> {
    const to = typedAddress(address, { remedies: [{ kind: 'setForwardTo' }] });
    const shown = plainText(to.href, 300);
    const permission = this.permissionFor(to);
    // guard S120: The user is asked about the address, whatever the argument says.
    if (permission === 'given') return to;
    if (permission === 'refused') throw refusedError(shown);
    const question = t('Send deliveries of this workspace to {0}?', shown);
    const detail = t(
      'The address is not on this machine, and not in your user settings. Deliveries contain what your apps return, signed with your webhook secret.',
    );
    if (!(await this.#prompts.confirm(question, detail, t('Allow')))) {
      throw new DeclinedError(t('Nothing was sent to {0}.', shown));
    }
    await this.answer(to.href, true);
    return to;
  }

  /** Remembers the user's answer for an address. */
  async answer(href: string, allowed: boolean): Promise<void> {
    await this.#memento.update(answersKey, { ...this.#answers(), [href]: allowed });
    this.#read.forget();
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  /** The forward settings of each place. Where they are new, all that follows from them is read again. */
  #places(): RoutePlaces {
    const places = config.routePlaces();
    if (places !== this.#readOf) this.#read.forget();
    this.#readOf = places;
    return places;
  }

  /** The addresses of the user's own settings. */
  #ofUser(): ReadonlySet<string> {
    const { forwardTo = '', routes } = this.#places().ofUser;
    return this.#read.of('ofUser', () => {
      const written = [forwardTo, ...routes.values(), config.publicUrl()];
      return new Set(written.flatMap((address) => writtenAddress(address)?.href ?? []));
    });
  }

  #answers(): DestinationAnswers {
    return this.#memento.get<DestinationAnswers>(answersKey, {});
  }
}
