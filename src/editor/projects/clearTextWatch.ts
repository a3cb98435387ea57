import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { originsInClear } from '../../service/endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { clicked } from '../kit/commands.ts';
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
  const warn = async (origin: string, projectId?: string): Promise<void> => {
    const never = t("Don't Warn Again for This Address");
    const [set, command, given]: [title: string, command: string, given: readonly unknown[]] =
      projectId === undefined
        ? [t('Open Settings'), 'workbench.action.openSettings', [serviceSettings]]
        : [t('Set Address…'), commandIds.setProjectAddresses, clicked({ projectId })];
    const answer = await tell(inClearText([origin]), set, never);
    if (answer === set) await vscode.commands.executeCommand(command, ...given);
    if (answer === never) await state.update(silencedKey, [...silenced(), origin]);
  };
  const check = (): void => {
    const quiet = silenced();
    for (const [origin, projectId] of inClear(projects)) {
      if (warned.has(origin) || quiet.includes(origin)) continue;
      warned.add(origin);
      warn(origin, projectId).catch((error: unknown) => log.warn(String(error)));
    }
  };
  check();
  return projects.onDidChange(check);
}

/** The origins that get tokens unencrypted, each with the project whose own it is; undefined for those of all. */
function inClear(projects: ClearTextWatchParts['projects']): Map<string, string | undefined> {
  const own = projects
    .all()
    .flatMap(({ id }) => originsInClear(projects.service(id)).map((origin) => [origin, id] as const));
  const ofAll = originsInClear(config.defaultService()).map((origin) => [origin, undefined] as const);
  return new Map([...own, ...ofAll]);
}

/** The warning about addresses that get tokens unencrypted. */
export function inClearText(origins: readonly string[]): string {
  return t(
    '{0} is not encrypted: tokens and webhook secrets sent there can be read on the way. Set an https address.',
    plainText(origins.join(', '), 300),
  );
}
