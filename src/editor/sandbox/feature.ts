import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import type { Commands } from '../commands.ts';
import { onConfigChange } from '../config.ts';
import { commandIds, contextIds, settingIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Projects } from '../projects/feature.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { reportError } from '../reportError.ts';
import type { Sandbox } from './sandbox.ts';
import { SandboxProject } from './sandboxProject.ts';

const commandSet = [
  commandIds.startSandbox,
  commandIds.stopSandbox,
  commandIds.resetSandbox,
  commandIds.setSandboxFaults,
  commandIds.copyNewSandboxToken,
  commandIds.showWebhookAttempts,
];

/** The sandbox's commands, its project in the tree, its settings and its context key. */
export function registerSandbox(
  commands: Commands,
  sandbox: Sandbox,
  projects: Projects,
  prompts: Prompts,
  log: Log,
): vscode.Disposable {
  const owned: { dispose(): void }[] = [];
  commands.registerLazily(commandSet, async () => {
    const { registerSandboxCommands } = await import('./sandboxCommands.ts');
    return () => owned.push(registerSandboxCommands(commands, sandbox, prompts));
  });
  return vscode.Disposable.from(
    new vscode.Disposable(() => {
      for (const one of owned) one.dispose();
    }),
    new SandboxProject(sandbox, projects),
    sandbox.onDidChangeState(({ kind }) => showInContext(kind === 'running', log)),
    onConfigChange([settingIds.sandboxApps], () => {
      sandbox
        .refreshApps()
        .catch((error: unknown) => reportError(log, t('Changing the apps of the sandbox'), error));
    }),
  );
}

function showInContext(running: boolean, log: Log): void {
  vscode.commands
    .executeCommand('setContext', contextIds.sandboxRunning, running)
    .then(undefined, (error: unknown) => {
      log.error(String(error));
    });
}
