import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { cancellableProgress, showBriefly } from '../kit/progress.ts';
import type { CommandsOf } from '../kit/commands.ts';
import { settingIds } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import { type Log, logError } from '../kit/log.ts';
import { DeclinedError } from '../kit/prompts.ts';

/** The services, and the other features that store data. */
export interface ResetServices extends Services {
  deliveries: { erase(): Promise<void> };
  run: { erase(): Promise<void> };
  applied: { erase(): Promise<void> };
}

/** *Reset Runhook*: removes all stored data. Returns the settings that are set: they are the user's, and stay. */
export function resetCommands(feature: ResetServices): CommandsOf<'reset'> {
  const { prompts, log } = feature;
  return {
    reset: async (given) => {
      const agreed =
        given?.confirmed === true ||
        (await prompts.confirm(
          t('Remove everything that Runhook has stored?'),
          t(
            'Tokens, webhook secrets, relay addresses, deliveries, payloads, runs and the history of applied settings are deleted from this machine. This cannot be undone. Listener, tunnel and sandbox are stopped. Settings, workspace files and what is kept for other folders stay.',
          ),
          t('Remove'),
        ));
      if (!agreed) throw new DeclinedError(t('Nothing was removed.'));
      const left = await cancellableProgress(t('Resetting Runhook'), (signal) => eraseAll(feature, signal));
      if (left.length > 0) {
        const list = left.join(', ');
        throw new UserError(
          t('Not everything could be removed. Still there: {0}. See the log for the reason.', list),
          {
            remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }],
          },
        );
      }
      const settings = settingsInUse();
      tellWhatIsLeft(settings, log);
      return { settings };
    },
  };
}

/** Erases all stored data. A failure does not stop the rest. @returns names of what is still there */
async function eraseAll(feature: ResetServices, signal: AbortSignal): Promise<string[]> {
  const left: string[] = [];
  for (const [what, erase] of stored(feature)) {
    try {
      signal.throwIfAborted();
      await erase();
    } catch (error) {
      logError(feature.log, error);
      left.push(what);
    }
  }
  return left;
}

/**
 * The name of everything that is stored, and a function that removes it from the disk, the secret store and the
 * memory of this window. First, whatever still writes is stopped. Last, state that no owner has removed is deleted.
 */
function stored(feature: ResetServices): [what: string, erase: () => Promise<void>][] {
  const { context, sandbox, listener, deliveries, tokens, secrets, run, applied } = feature;
  const { globalState, workspaceState, secrets: storage } = context;
  return [
    [t('the payloads and runs'), () => run.erase()],
    [t('the sandbox'), () => sandbox.erase()],
    [
      t('the deliveries'),
      async () => {
        await listener.erase();
        await deliveries.erase();
      },
    ],
    [
      t('the tokens'),
      async () => {
        await tokens.deleteAll(() => true);
        for (const key of await storage.keys()) await storage.delete(key);
      },
    ],
    [t('the webhook secrets'), async () => (await secrets.store()).erase()],
    [t('the history of applied settings'), () => applied.erase()],
    [t('the state of this folder'), () => sweep(workspaceState)],
    [t('the state of this machine'), () => sweep(globalState)],
  ];
}

async function sweep(memento: vscode.Memento): Promise<void> {
  for (const key of memento.keys()) await memento.update(key, undefined);
}

function settingsInUse(): string[] {
  const settings = vscode.workspace.getConfiguration('runhook');
  return Object.values(settingIds).flatMap((id) => {
    const { globalValue, workspaceValue, workspaceFolderValue } = settings.inspect(id) ?? {};
    const isSet = [globalValue, workspaceValue, workspaceFolderValue].some((value) => value !== undefined);
    return isSet ? [`runhook.${id}`] : [];
  });
}

function tellWhatIsLeft(settings: readonly string[], log: Log): void {
  if (settings.length === 0) {
    showBriefly(t('Runhook was reset.'));
    return;
  }
  const openSettings = t('Open Settings');
  const message = t('Runhook was reset. These settings remain: {0}.', settings.join(', '));
  vscode.window
    .showInformationMessage(message, openSettings)
    .then(async (action) => {
      if (action === undefined) return;
      await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:runhook.runhook');
    })
    .then(undefined, (error: unknown) => logError(log, error));
}
