import { join } from 'node:path';
import * as vscode from 'vscode';
import { allCommands, type CommandId, commandIds } from '../contract/commands.ts';
import { loadOnce } from '../shared/async/loadOnce.ts';
import { isLoopback } from '../shared/http/loopback.ts';
import type { WholeDelivery } from '../contract/delivery.ts';
import { originOf } from '../service/endpoints.ts';
import { appName } from '../service/projects/project.ts';
import { setTranslate, t } from '../shared/text/l10n.ts';
import { UserError } from '../shared/text/userError.ts';
import { AgentDoor } from './agents/agentDoor.ts';
import type { Tools } from './agents/tools.ts';
import { AppliedSettings } from './appSettings/appliedSettings.ts';
import { type AppSettingsProviders, registerAppSettings } from './appSettings/feature.ts';
import { Commands } from './kit/commands.ts';
import { registerDebug, renameLaunch } from './debug/feature.ts';
import { deliveryAddresses } from './deliveries/deliveryUri.ts';
import { Explainer } from './deliveries/explanation/explainer.ts';
import { type Deliveries, registerDeliveries } from './deliveries/feature.ts';
import type { DeliveryNode } from './deliveries/view/deliveryItem.ts';
import { config } from './kit/config.ts';
import type { LazyDocuments } from './kit/documents.ts';
import { editorPrompts } from './kit/editorPrompts.ts';
import { ErrorSurface } from './kit/errorSurface.ts';
import type { LazyView } from './kit/lazyView.ts';
import { logError } from './kit/log.ts';
import { OrderedState } from './kit/orderedState.ts';
import { ScriptedPrompts } from './kit/scriptedPrompts.ts';
import type { Services } from './kit/services.ts';
import { createTransport } from './kit/transport.ts';
import type { Node } from './kit/tree.ts';
import { registerFailures } from './failures/feature.ts';
import { registerLeaks } from './leaks/feature.ts';
import { Destinations } from './listener/destinations.ts';
import { registerListener, renameRoute } from './listener/feature.ts';
import { listenerFolder } from './listener/hasListened.ts';
import { Listener } from './listener/listener.ts';
import { webhookSecrets } from './listener/secrets/webhookSecrets.ts';
import { registerProjects, type RenamedApp } from './projects/feature.ts';
import { Projects } from './projects/projects.ts';
import { stacked } from './projects/projectsTree.ts';
import { Tokens } from './projects/tokens.ts';
import { responseLanguage } from './kit/responseLanguage.ts';
import { answerAddresses } from './run/answers/answerDocument.ts';
import { registerRun, type RunFeature } from './run/feature.ts';
import { RunFiles } from './run/history/runFiles.ts';
import { RunHistory } from './run/history/runHistory.ts';
import { RunNodes } from './run/history/runNodes.ts';
import { LastChoices } from './run/lastChoices.ts';
import { PayloadRows } from './run/payloads/payloadRows.ts';
import { PayloadStore } from './run/payloads/payloadStore.ts';
import { WorkspacePayloads } from './run/payloads/workspacePayloads.ts';
import { registerSandbox, sandboxLine } from './sandbox/feature.ts';
import { Sandbox } from './sandbox/sandbox.ts';
import { tasks } from './tasks/feature.ts';
import { registerTesting } from './testing/feature.ts';
import { registerTimeline } from './timeline/feature.ts';
import { registerTunnels } from './tunnels/feature.ts';
import { registerWalkthrough } from './walkthrough/feature.ts';

/** The views and file systems that activation has registered, for the features to fill. */
export interface Shell {
  projects: LazyView<Node>;
  deliveries: LazyView<DeliveryNode>;
  deliveryDocuments: LazyDocuments;
  answerDocuments: LazyDocuments;
  /** Notifies other extensions of deliveries, once one of them has subscribed. */
  received?: vscode.EventEmitter<WholeDelivery>;
}

/** All features of Runhook in a window. */
export interface Features {
  commands: Commands;
  listener: Listener;
  run: RunFeature;
  appSettings: AppSettingsProviders;
  deliveries: Pick<Deliveries, 'explanations'>;
  timeline: ReturnType<typeof registerTimeline>;
  debug: Pick<ReturnType<typeof registerDebug>, 'configurations'>;
  tasks: vscode.TaskProvider;
  tools: () => Promise<Tools>;
  /** Only in tests that run in the extension host. */
  scripted: ScriptedPrompts | undefined;
  /** Work that `deactivate` waits for. The editor disposes of subscriptions without waiting for them. */
  end(): Promise<void>;
}

/** Where 0.1.0 kept runs in the state of the editor. */
const earlierRuns = 'runs';

/** Starts all features in a window that uses Runhook. Loaded on first use. */
export function startFeatures(given: vscode.ExtensionContext, shell: Shell): Features {
  setTranslate(vscode.l10n.t);
  const context = Object.create(given, {
    globalState: { value: new OrderedState(given.globalState) },
  }) as vscode.ExtensionContext;
  const { globalState, workspaceState, subscriptions } = context;
  const log = vscode.window.createOutputChannel('Runhook', { log: true });
  const scripted = context.extensionMode === vscode.ExtensionMode.Test ? new ScriptedPrompts() : undefined;
  const prompts = scripted ?? editorPrompts;
  const transport = createTransport(log);
  const keyring = readableSecrets(context.secrets);
  const tokens = new Tokens(keyring, globalState);
  const projects = new Projects({ tokens, workspaceState, prompts, log });
  const secrets = webhookSecrets(keyring, projects);
  const errors = new ErrorSurface({
    ...{ prompts, log },
    done: (...asked) => commands.done(...asked),
  });
  const workerPath = context.asAbsolutePath('dist/sandbox.worker.js');
  const sandbox = new Sandbox({
    ...{ workerPath, apps: config.sandboxApps, memento: workspaceState, secrets: keyring, log },
  });
  const listener: Listener = new Listener({
    entry: context.asAbsolutePath('dist/runhook.js'),
    folder: listenerFolder(context),
    version: String((context.extension.packageJSON as { version: unknown }).version),
    memento: workspaceState,
    secrets,
    destinations: new Destinations(workspaceState, prompts),
    passOn: async (arrived) => {
      for (const { id } of shell.received === undefined ? [] : arrived) {
        shell.received?.fire(await listener.whole(id));
      }
    },
    log,
  });
  const runFiles = new RunFiles(join(listenerFolder(context), 'runs'), (error) => logError(log, error));
  const runs = new RunHistory(runFiles, workspaceState.get(earlierRuns, []));
  if (workspaceState.get(earlierRuns) !== undefined) void workspaceState.update(earlierRuns, undefined);
  const services: Services = {
    ...{ context, projects, tokens, secrets, listener, sandbox, runs, prompts, transport, errors, log },
  };
  const applied = new AppliedSettings(
    globalState,
    Date.now,
    (id) => projects.find(id) && originOf(projects.service(id).baseUrl),
  );
  const payloads = { store: new PayloadStore(context.globalStorageUri), shared: new WorkspacePayloads(log) };
  const payloadRows = new PayloadRows({ ...payloads, projects, log });
  const runNodes = new RunNodes(runs);
  const appRows = stacked(payloadRows, runNodes);
  const last = new LastChoices(workspaceState, (projectId) => {
    const proxy = URL.parse(projects.service(projectId).proxyUrl);
    return proxy === null || isLoopback(proxy.hostname) || listener.tunnel.publicUrl !== undefined;
  });
  let { publicUrl } = listener.tunnel;
  const reach = listener.onDidChangeState(() => {
    if (publicUrl === listener.tunnel.publicUrl) return;
    ({ publicUrl } = listener.tunnel);
    last.reachChanged();
  });
  subscriptions.push(runs, runNodes, payloadRows, payloads.store, payloads.shared, reach);
  const lines = sandboxLine(sandbox);
  const renamedApp: RenamedApp = async (from, to, mayAsk) => {
    const isShared = projects.all().some(({ apps }) => apps.some((app) => appName(app) === from.appName));
    await renameRoute(from.appName, to.appName, isShared);
    await renameLaunch(workspaceState, from.appName, to.appName);
    const { renameOwner } = await import('./listener/secrets/envFile.ts');
    await renameOwner(workspaceState, from, to);
    await run.renamedApp(from, to, mayAsk);
  };
  const projectsFeature = registerProjects(
    services,
    { rows: shell.projects, appRows, ways: last, lines },
    renamedApp,
  );
  const appSettings = registerAppSettings({ ...services, applied });
  const leaks = registerLeaks(services);
  subscriptions.push(projectsFeature, appSettings, leaks);
  subscriptions.push(log, transport, tokens, projects);
  const sandboxFeature = registerSandbox({ ...services, applied, focusApp: projectsFeature.focusApp });
  subscriptions.push(sandboxFeature, sandbox);
  const listenerFeature = registerListener(services, leaks.gitProgram);
  subscriptions.push(listenerFeature, listener);
  const run = registerRun({ ...services, payloads, last });
  shell.answerDocuments.fill(run.answers);
  const timeline = registerTimeline(services, (id) => run.openAnswer(id));
  const tunnels = registerTunnels(services);
  const explainer = new Explainer(context, listener, runs, run.answerBody, sandbox);
  const { deliveries: rows, deliveryDocuments: files } = shell;
  const deliveries = registerDeliveries({ ...services, rows, files, explainer });
  const walkthrough = registerWalkthrough({ ...services, explainer });
  subscriptions.push(run, tunnels, explainer, deliveries, walkthrough, responseLanguage());
  subscriptions.push(registerTesting(services));
  const debug = registerDebug(services);
  const failures = registerFailures(services);
  subscriptions.push(failures);
  const commands: Commands = new Commands({
    loaders: {
      projects: () => projectsFeature.commands(),
      leaks: () => leaks.commands(),
      appSettings: () => appSettings.commands(),
      run: () => run.commands(),
      listener: () => listenerFeature.commands(),
      deliveries: () => deliveries.commands(),
      debug: () => debug.commands(),
      failures: () => failures.commands(),
      timeline: () => timeline.commands(),
      tunnels: () => tunnels.commands(),
      sandbox: () => sandboxFeature.commands(),
      walkthrough: () => walkthrough.commands(),
      log: () => Promise.resolve({ showLog: () => log.show() }),
      reset: async () =>
        (await import('./reset/resetCommand.ts')).resetCommands({ ...services, deliveries, run, applied }),
    },
    argumentOf: (uri) => {
      const { id } = deliveryAddresses.argument(uri) ?? answerAddresses.argument(uri) ?? {};
      return id === undefined ? undefined : { id };
    },
    errors,
    titleOf: (id) => commandTitle(context.extension, id),
    log,
  });
  // Activation has registered the others.
  for (const { id, title } of allCommands) {
    if (title !== undefined || id === commandIds.breakDelivery) continue;
    subscriptions.push(vscode.commands.registerCommand(id, (...given) => commands.run(id, given)));
  }
  const tools = loadOnce(async () => {
    const { tools: make } = await import('./agents/tools.ts');
    return make({ ...services, explainer, known: (app) => applied.known(app) });
  });
  const door = new AgentDoor({ projects, prompts, log, tools });
  subscriptions.push(door);
  door
    .open()
    .catch((error: unknown) => log.warn(`Agents in terminals cannot reach this window: ${String(error)}`));
  const end = async () => {
    // Before the sandbox ends, which breaks off the answers of its runs.
    const left = run.leave();
    // The listener program keeps running and decides by itself for how long. A failure must not end the process before
    // the others are done: the editor no longer answers, so that what needs it may fail.
    await Promise.allSettled([left, deliveries.leave(), sandbox.end(), projects.stored()]);
  };
  return {
    ...{ commands, listener, run, appSettings, deliveries, debug, timeline },
    ...{ tasks: tasks({ ...services, explainer }), tools, scripted, end },
  };
}

/** Wraps the editor's secret store so that failures, which come from the system's keyring, are readable for users. */
export function readableSecrets(secrets: vscode.SecretStorage): vscode.SecretStorage {
  return {
    keys: () => readable(secrets.keys()),
    get: (key) => readable(secrets.get(key)),
    store: (key, value) => readable(secrets.store(key, value)),
    delete: (key) => readable(secrets.delete(key)),
    onDidChange: secrets.onDidChange,
  };
}

async function readable<T>(operation: Thenable<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    const message = t(
      'The secret store of the editor does not respond. Is the keyring of this system unlocked?',
    );
    throw new UserError(message, { cause: error, remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }] });
  }
}

/** The commands in the manifest. In a localized editor, a title is an object that also has the English text. */
interface Manifest {
  contributes: { commands: { command: string; title: string | { value: string } }[] };
}

/**
 * A command's title in the language of the editor, without a trailing ellipsis. Runhook's own name for a command that
 * the manifest does not have.
 */
export function commandTitle({ packageJSON }: vscode.Extension<unknown>, id: CommandId): string {
  const { commands } = (packageJSON as Manifest).contributes;
  const title = commands.find(({ command }) => command === id)?.title ?? 'Runhook';
  return (typeof title === 'string' ? title : title.value).replace(/…$/, '');
}
