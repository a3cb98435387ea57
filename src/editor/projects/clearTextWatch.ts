import * as vscode from 'vscode';
import { originsInClear } from '../../model/keys/clearText.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import { config } from '../kit/config.ts';
import { serviceSettings } from '../ids.ts';
import type { Log } from '../kit/log.ts';
import type { Projects } from './projects.ts';

const silencedKey = 'clearText.silenced';

export interface ClearTextWatchOptions {
  projects: Pick<Projects, 'all' | 'service' | 'onDidChange'>;
  /** Remembers the addresses that need no warning any more. Shared by all windows. */
  state: vscode.Memento;
  /** Shows a warning. Resolves with the button that was clicked. */
  tell: (message: string, ...buttons: string[]) => Thenable<string | undefined>;
  log: Log;
}

/** Warns of each service address that gets tokens unencrypted: once per window, at the start or when it is set. */
export class ClearTextWatch implements vscode.Disposable {
  readonly #options: ClearTextWatchOptions;
  readonly #subscription: vscode.Disposable;
  readonly #warned = new Set<string>();

  constructor(options: ClearTextWatchOptions) {
    this.#options = options;
    this.#subscription = options.projects.onDidChange(() => this.#check());
    this.#check();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #check(): void {
    const { projects, state, log } = this.#options;
    const services = [config.defaultService(), ...projects.all().map(({ id }) => projects.service(id))];
    const silenced = state.get<readonly string[]>(silencedKey, []);
    for (const origin of new Set(services.flatMap(originsInClear))) {
      if (this.#warned.has(origin) || silenced.includes(origin)) continue;
      this.#warned.add(origin);
      this.#warn(origin).catch((error: unknown) => log.warn(String(error)));
    }
  }

  async #warn(origin: string): Promise<void> {
    const { state, tell } = this.#options;
    const [open, never] = [t('Open Settings'), t("Don't Warn Again for This Address")];
    const answer = await tell(inClearText([origin]), open, never);
    if (answer === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', serviceSettings);
    if (answer === never) {
      await state.update(silencedKey, [...state.get<readonly string[]>(silencedKey, []), origin]);
    }
  }
}

/** The warning about addresses that get tokens unencrypted. */
export function inClearText(origins: readonly string[]): string {
  return t(
    '{0} is not encrypted: tokens and webhook secrets that go there can be read on the way. Set an https address.',
    plainText(origins.join(', '), 300),
  );
}
