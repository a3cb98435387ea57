import * as v from 'valibot';
import { command } from '../commands.ts';
import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { commandIds, settingIds } from '../ids.ts';
import type { Log } from '../log.ts';
import { cancellableProgress } from '../cancellableProgress.ts';
import { showBriefly } from '../showBriefly.ts';
import type { Prompts } from '../prompts/prompts.ts';

/** Something that Runhook stores on this machine, with its owner's way to remove it. */
export interface Erasable {
  /** What it is, in the user's language: told where it could not be removed. */
  what: string;
  /** Removes it from the disk, the secret store and the memory of this window. */
  erase: () => Promise<void>;
}

export interface ResetFeature {
  prompts: Prompts;
  /** All that store something, in the order in which they are to let go of it. */
  stored: readonly Erasable[];
  log: Log;
}

/** What `runhook.reset` returns. */
interface Left {
  /** The settings of Runhook that are set: they are the user's, and stay. */
  settings: string[];
}

/** *Reset Runhook*: removes what it stored, and says what is left. */
export function resetCommands({ prompts, stored, log }: ResetFeature) {
  return {
    [commandIds.reset]: command(
      v.object({ confirmed: v.exactOptional(v.boolean()) }),
      async (given): Promise<Left> => {
        const agreed =
          given?.confirmed === true ||
          (await prompts.confirm(
            t('Remove everything that Runhook has stored?'),
            t(
              'Tokens, webhook secrets, deliveries, payloads, runs and what is known of applied settings are deleted from this machine and cannot be brought back. Listener, tunnel and sandbox are stopped. Settings stay. Other folders keep their deliveries.',
            ),
            t('Remove'),
          ));
        if (!agreed) throw new DeclinedError(t('Nothing was removed.'));
        const still = await cancellableProgress(t('Resetting Runhook'), (signal) =>
          eraseAll(stored, log, signal),
        );
        if (still.length > 0) {
          const list = still.join(', ');
          throw new UserError(
            t('Not everything could be removed. Still there: {0}. The log says why.', list),
          );
        }
        const left = { settings: settingsInUse() };
        tellWhatIsLeft(left, log);
        return left;
      },
    ),
  };
}

/** One that fails does not keep the others. @returns those that are still there, in words */
async function eraseAll(stored: readonly Erasable[], log: Log, signal: AbortSignal): Promise<string[]> {
  const left: string[] = [];
  for (const { what, erase } of stored) {
    try {
      signal.throwIfAborted();
      await erase();
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      left.push(what);
    }
  }
  return left;
}

function settingsInUse(): string[] {
  const settings = vscode.workspace.getConfiguration('runhook');
  return Object.values(settingIds).flatMap((id) => {
    const { globalValue, workspaceValue, workspaceFolderValue } = settings.inspect(id) ?? {};
    const isSet = [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined);
    return isSet ? [`runhook.${id}`] : [];
  });
}

function tellWhatIsLeft({ settings }: Left, log: Log): void {
  if (settings.length === 0) {
    showBriefly(t('Runhook has removed everything it stored.'));
    return;
  }
  const openSettings = t('Open Settings');
  const message = t(
    'Runhook has removed everything it stored. These settings remain: {0}.',
    settings.join(', '),
  );
  vscode.window
    .showInformationMessage(message, openSettings)
    .then(async (action) => {
      if (action === undefined) return;
      await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:runhook.runhook');
    })
    .then(undefined, (error: unknown) => log.error(String(error)));
}
