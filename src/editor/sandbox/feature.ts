import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import type { Provides } from '../commands.ts';
import { onConfigChange } from '../config.ts';
import { contextIds, settingIds } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import { logError } from '../log.ts';
import type { Projects, TransientProject } from '../projects/feature.ts';
import type { Sandbox, SandboxState } from './sandbox.ts';
import type { AppliedByApp } from '../../model/service/sandboxProtocol.ts';

export type { Sandbox, SandboxState } from './sandbox.ts';

/** The sandbox's commands, its project in the tree, its settings and its context key. */
export function registerSandbox({ sandbox, projects, prompts, errors, log }: Services): Provides<'sandbox'> {
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

/** Shows the running sandbox in the tree, as a project like any other, with its tokens. */
export function showSandboxProject(sandbox: Sandbox, projects: Projects): vscode.Disposable {
  let shown: vscode.Disposable | undefined;
  const show = (state: SandboxState): void => {
    if (state.kind === 'stopped' && state.comesBack === true) {
      // Its tokens stay as the user left them.
      shown = undefined;
      return;
    }
    const before = shown;
    // The new project replaces the previous one, so that disposing of that removes nothing.
    shown = state.kind === 'running' ? projects.addTransient(projectOf(state)) : undefined;
    before?.dispose();
  };
  show(sandbox.state);
  return vscode.Disposable.from(sandbox.onDidChangeState(show), { dispose: () => void shown?.dispose() });
}

function projectOf({
  address,
  faults,
  applied,
  isBack,
}: SandboxState & { kind: 'running' }): TransientProject {
  const { baseUrl, proxyUrl, projectId, serviceAccounts, apps } = address;
  const running = t('running on {0}', new URL(baseUrl).host);
  return {
    project: {
      id: projectId,
      name: t('Sandbox'),
      serviceAccounts: serviceAccounts.map(({ id, name, environment }) => ({ id, name, environment })),
      apps,
    },
    service: { baseUrl, proxyUrl },
    isBack,
    tokens: new Map(serviceAccounts.map(({ id, token }) => [id, token])),
    label: [running, ...faults].join(' · '),
    appNotes: new Map(apps.map(({ id }) => [id, noteOf(applied[id])])),
  };
}

/** The settings that the sandbox holds for an app, by their wire names. It accepts plain values only. */
function noteOf(settings: AppliedByApp[string] | undefined): string {
  if (settings === undefined) return t('Nothing has been applied in the sandbox yet.');
  const values = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return t('Applied in the sandbox: {0}', values.join(', '));
}
