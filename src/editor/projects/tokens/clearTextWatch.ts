import * as vscode from 'vscode';
import { originsInClear } from '../../../model/keys/clearText.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { config } from '../../config.ts';
import { serviceSettings } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { Projects } from '../projects.ts';

const silencedKey = 'clearText.silenced';

export interface ClearTextWatchOptions {
  projects: Pick<Projects, 'all' | 'service' | 'onDidChange'>;
  /** Remembers for which addresses no warning is wanted. Shared by all windows. */
  state: vscode.Memento;
  /** Shows a warning; gives the button that was clicked. */
  tell: (message: string, ...buttons: string[]) => Thenable<string | undefined>;
  log: Log;
}

/** Warns of each address of a service that tokens go to unencrypted: once where it is set, and once a window. */
export class ClearTextWatch implements vscode.Disposable {
  readonly #options: ClearTextWatchOptions;
  readonly #subscription: vscode.Disposable;
  readonly #told = new Set<string>();

  constructor(options: ClearTextWatchOptions) {
    this.#options = options;
    this.#subscription = options.projects.onDidChange(() => this.#look());
    this.#look();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #look(): void {
    const { projects, state, log } = this.#options;
    const services = [config.defaultService(), ...projects.all().map(({ id }) => projects.service(id))];
    const silenced = state.get<readonly string[]>(silencedKey, []);
    for (const origin of new Set(services.flatMap(originsInClear))) {
      if (this.#told.has(origin) || silenced.includes(origin)) continue;
      this.#told.add(origin);
      this.#tell(origin).catch((error: unknown) => log.warn(String(error)));
    }
  }

  async #tell(origin: string): Promise<void> {
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

/** What is said of addresses that tokens go to unencrypted. */
export function inClearText(origins: readonly string[]): string {
  return t(
    '{0} is not encrypted: tokens and webhook secrets that go there can be read on the way. Set an https address.',
    plainText(origins.join(', '), 300),
  );
}
