import * as vscode from 'vscode';
import { commandIds } from '../../contract/commands.ts';
import { sandboxFaults } from '../../contract/values.ts';
import { type SandboxFault, describeSandboxFault } from '../../service/sandbox/sandboxFault.ts';
import type { AppliedByApp, SandboxAddress } from '../../service/sandbox/sandboxProtocol.ts';
import { settingsSummary } from '../../service/settings/settingsText.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import type { Provides, CommandsOf } from '../kit/commands.ts';
import { onConfigChange } from '../kit/config.ts';
import { contextIds, settingIds } from '../kit/ids.ts';
import type { Services } from '../kit/services.ts';
import { joined, node, themeIcon } from '../kit/tree.ts';
import { logError } from '../kit/log.ts';
import { rowId, type Projects, type TransientProject, type ViewLines } from '../projects/feature.ts';
import type { Prompts } from '../kit/prompts.ts';
import { showBriefly } from '../kit/progress.ts';
import { freeProjectId, type Sandbox, type SandboxState } from './sandbox.ts';

export type { Sandbox, SandboxState } from './sandbox.ts';

interface SandboxParts extends Services {
  /** Moves the focus to the first app of a project. */
  focusApp: (projectId: string) => Promise<void>;
  /** What was applied to its apps, which a reset of the sandbox takes back. */
  applied: { forget(projectId: string): Promise<void> };
}

/** The sandbox's commands, its project in the tree, its settings and its context key. */
export function registerSandbox(parts: SandboxParts): Provides<'sandbox'> {
  const { sandbox, projects, errors, log } = parts;
  const owned = vscode.Disposable.from(
    showSandboxProject(sandbox, projects),
    sandbox.onDidChangeState(({ kind }) => {
      void vscode.commands.executeCommand('setContext', contextIds.sandboxRunning, kind === 'running');
    }),
    onConfigChange([settingIds.sandboxApps], () => {
      const refresh = () => sandbox.refreshApps();
      refresh().catch((error: unknown) => errors.report(t('Changing the sandbox apps'), error, refresh));
    }),
  );
  sandbox.resume().catch((error: unknown) => logError(log, error));
  return {
    commands: () => Promise.resolve(sandboxCommands(parts)),
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
  hasMoved,
}: SandboxState & { kind: 'running' }): TransientProject {
  const { baseUrl, proxyUrl, projectId, serviceAccounts, apps } = address;
  const { host, port } = new URL(baseUrl);
  return {
    project: {
      id: projectId,
      name: joined(' ', t('Sandbox'), hasMoved && `:${port}`),
      serviceAccounts: serviceAccounts.map(({ id, name, environment }) => ({ id, name, environment })),
      apps,
    },
    service: { baseUrl, proxyUrl },
    isBack,
    tokens: new Map(serviceAccounts.map(({ id, token }) => [id, token])),
    place: t('running on {0}', host),
    faults,
    appNotes: new Map(apps.map(({ id }) => [id, noteOf(applied[id])])),
  };
}

/** The settings that the sandbox holds for an app. */
function noteOf(settings: AppliedByApp[string] | undefined): string {
  if (settings === undefined) return t('Nothing has been applied in the sandbox yet.');
  return t('Applied in the sandbox: {0}', settingsSummary(settings));
}

/** A sandbox that was used and does not run, as a line of the Projects view: a click starts it again. */
export function sandboxLine(sandbox: Sandbox): ViewLines {
  const row = (icon: vscode.ThemeIcon, reason?: string) =>
    node({
      // That of its project, so that the row keeps the focus.
      id: rowId('project', { projectId: freeProjectId() }),
      label: t('Sandbox'),
      description: reason === undefined ? t('stopped') : t('failed: {0}', plainText(reason)),
      tooltip: [t('Start Sandbox'), ...(reason === undefined ? [] : [plainText(reason, 400)])].join('\n'),
      icon,
      context: 'sandbox stopped',
      argument: {},
      // As a click on its button: without an argument, which would be that of a caller.
      click: { command: commandIds.startSandbox, arguments: [] },
    });
  const all = () => {
    const { state } = sandbox;
    if (state.kind === 'failed')
      return [row(themeIcon('error', 'problemsErrorIcon.foreground'), state.reason)];
    const isLeft = state.kind === 'stopped' && state.comesBack !== true && sandbox.wasUsed;
    return isLeft ? [row(themeIcon('beaker', 'disabledForeground'))] : [];
  };
  return { onDidChange: sandbox.onDidChangeState, all };
}

/** The commands that start and end the sandbox, give its tokens, and set its faults (an empty list clears them). */
function sandboxCommands({ sandbox, prompts, focusApp, applied }: SandboxParts) {
  return {
    startSandbox: async (argument, from) => {
      const { baseUrl, proxyUrl, projectId, serviceAccountId, apps, ...rest } = await sandbox.start(argument);
      // The button or the row that was clicked, which says nothing, goes with the empty view.
      if (from !== 'caller' && argument === undefined) await focusApp(projectId);
      const serviceAccounts = rest.serviceAccounts.map(({ id, name, environment }) => ({
        id,
        name,
        environment,
      }));
      return { baseUrl, proxyUrl, projectId, serviceAccountId, apps, serviceAccounts };
    },
    stopSandbox: () => sandbox.stop(),
    resetSandbox: async () => {
      await sandbox.reset();
      await applied.forget(sandbox.running().address.projectId);
      showBriefly(t('The sandbox was reset.'));
    },
    copyNewSandboxToken: (argument) => copyNewToken(sandbox, prompts, argument?.serviceAccountId),
    setSandboxFaults: async (argument) => {
      const faults = argument?.faults ?? (await askForFaults(prompts, sandbox));
      if (faults === undefined) return undefined;
      await sandbox.setFaults(faults);
      return { faults };
    },
  } satisfies Partial<CommandsOf<'sandbox'>>;
}

async function copyNewToken(
  sandbox: Sandbox,
  prompts: Prompts,
  given: string | undefined,
): Promise<{ expiresAt: string } | undefined> {
  const { address } = sandbox.running();
  const id = given ?? (await askForAccount(prompts, address));
  if (id === undefined) return undefined;
  const { token, expiresAt } = await sandbox.ask((thread) => thread.newToken({ serviceAccountId: id }));
  await vscode.env.clipboard.writeText(token);
  const name = address.serviceAccounts.find((account) => account.id === id)?.name ?? id;
  showBriefly(t('Copied a new token for {0}.', name));
  return { expiresAt };
}

function askForAccount(prompts: Prompts, { serviceAccounts }: SandboxAddress): Promise<string | undefined> {
  return prompts.pick(
    t('Whose token?'),
    serviceAccounts.map(({ id, name, environment }) => ({
      label: name,
      description: environment,
      value: id,
    })),
  );
}

function askForFaults(prompts: Prompts, sandbox: Sandbox): Promise<SandboxFault[] | undefined> {
  const { faults } = sandbox.running();
  return prompts.pickMany(
    t('Which faults should the sandbox simulate?'),
    sandboxFaults.map((fault) => ({
      ...(fault === 'bad-signature' && { heading: t('webhook') }),
      ...(fault === '401' && { heading: t('call') }),
      label: fault,
      description: describeSandboxFault(fault),
      picked: faults.includes(fault),
      value: fault,
    })),
  );
}
