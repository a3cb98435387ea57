import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import type { Provides } from '../commands.ts';
import { onConfigChange } from '../config.ts';
import { contextIds, settingIds } from '../ids.ts';
import { type Log, logError } from '../log.ts';
import type { Projects } from '../projects/feature.ts';
import type { ErrorSurface } from '../errors/errorSurface.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { Sandbox } from './sandbox.ts';
import { showSandboxProject } from './sandboxProject.ts';

export type { Sandbox, SandboxState } from './sandbox.ts';

export interface SandboxFeature {
  sandbox: Sandbox;
  projects: Projects;
  prompts: Prompts;
  errors: ErrorSurface;
  log: Log;
}

/** The sandbox's commands, its project in the tree, its settings and its context key. */
export function registerSandbox({
  sandbox,
  projects,
  prompts,
  errors,
  log,
}: SandboxFeature): Provides<'sandbox'> {
  const owned = vscode.Disposable.from(
    showSandboxProject(sandbox, projects),
    sandbox.onDidChangeState(({ kind }) => {
      void vscode.commands.executeCommand('setContext', contextIds.sandboxRunning, kind === 'running');
    }),
    onConfigChange([settingIds.sandboxApps], () => {
      const refresh = () => sandbox.refreshApps();
      refresh().catch((error: unknown) =>
        errors.report(t('Changing the apps of the sandbox'), error, refresh),
      );
    }),
  );
  sandbox.resume().catch((error: unknown) => logError(log, error));
  return {
    commands: async () => {
      const { sandboxCommands } = await import('./sandboxCommands.ts');
      return sandboxCommands(sandbox, prompts);
    },
    dispose: () => void owned.dispose(),
  };
}
