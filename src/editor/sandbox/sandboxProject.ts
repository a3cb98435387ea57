import * as vscode from 'vscode';
import type { AppliedByApp } from '../../model/service/sandboxProtocol.ts';
import { t } from '../../model/text/l10n.ts';
import type { Projects, TransientProject } from '../projects/feature.ts';
import type { Sandbox, SandboxState } from './sandbox.ts';

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
