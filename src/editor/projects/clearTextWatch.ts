import * as vscode from 'vscode';
import { originsInClear } from '../../service/endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { config } from '../kit/config.ts';
import { serviceSettings } from '../kit/ids.ts';
import type { Log } from '../kit/log.ts';
import type { Projects } from './projects.ts';

const silencedKey = 'clearText.silenced';

/** What the watch uses. */
export interface ClearTextWatchParts {
  projects: Pick<Projects, 'all' | 'service' | 'onDidChange'>;
  /** Remembers the addresses that need no warning any more. Shared by all windows. */
  state: vscode.Memento;
  /** Shows a warning. Resolves with the button that was clicked. */
  tell: (message: string, ...buttons: string[]) => Thenable<string | undefined>;
  log: Log;
}

/** Warns of each service address that gets tokens unencrypted: once per window, at the start or when it is set. */
export function watchClearText({ projects, state, tell, log }: ClearTextWatchParts): vscode.Disposable {
  const warned = new Set<string>();
  const silenced = () => state.get<readonly string[]>(silencedKey, []);
  const warn = async (origin: string): Promise<void> => {
    const [open, never] = [t('Open Settings'), t("Don't Warn Again for This Address")];
    const answer = await tell(inClearText([origin]), open, never);
    if (answer === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', serviceSettings);
    if (answer === never) await state.update(silencedKey, [...silenced(), origin]);
  };
  const check = (): void => {
    const services = [config.defaultService(), ...projects.all().map(({ id }) => projects.service(id))];
    const quiet = silenced();
    for (const origin of new Set(services.flatMap(originsInClear))) {
      if (warned.has(origin) || quiet.includes(origin)) continue;
      warned.add(origin);
      warn(origin).catch((error: unknown) => log.warn(String(error)));
    }
  };
  check();
  return projects.onDidChange(check);
}

/** The warning about addresses that get tokens unencrypted. */
export function inClearText(origins: readonly string[]): string {
  return t(
    '{0} is not encrypted: tokens and webhook secrets sent there can be read on the way. Set an https address.',
    plainText(origins.join(', '), 300),
  );
}
