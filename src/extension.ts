import * as vscode from 'vscode';
import type { RunhookApi } from './api.ts';
import { AppliedSettings } from './editor/appSettings/appliedSettings.ts';
import { registerAppSettings } from './editor/appSettings/feature.ts';
import { registerAgents } from './editor/agents/feature.ts';
import { registerCommandLine } from './editor/commandLine/feature.ts';
import { Commands } from './editor/commands.ts';
import { config } from './editor/config.ts';
import { lazyExplainer } from './editor/deliveries/explanation/lazyExplainer.ts';
import { registerDeliveries } from './editor/deliveries/feature.ts';
import { registerLeaks } from './editor/leaks/feature.ts';
import { createListener } from './editor/listener/createListener.ts';
import { registerListener } from './editor/listener/feature.ts';
import { webhookSecrets } from './editor/listener/secrets/webhookSecrets.ts';
import { createLog } from './editor/log.ts';
import { registerShowLog } from './editor/showLog.ts';
import { registerProjects } from './editor/projects/feature.ts';
import { ProjectSettings } from './editor/projects/projectSettings.ts';
import { Projects } from './editor/projects/projects.ts';
import { originOf, Tokens } from './editor/projects/tokens/tokens.ts';
import { editorPrompts } from './editor/prompts/editorPrompts.ts';
import { readableSecrets } from './editor/readableSecrets.ts';
import { registerReset } from './editor/reset/feature.ts';
import { registerRun } from './editor/run/feature.ts';
import { registerTunnels } from './editor/tunnels/feature.ts';
import { RunHistory } from './editor/run/history/runHistory.ts';
import { RunNodes } from './editor/run/history/runNodes.ts';
import { ScriptedPrompts } from './editor/prompts/scriptedPrompts.ts';
import { registerSandbox } from './editor/sandbox/feature.ts';
import { Sandbox } from './editor/sandbox/sandbox.ts';
import { SandboxLine } from './editor/sandbox/sandboxLine.ts';
import { registerWalkthrough } from './editor/walkthrough/feature.ts';
import { createTransport } from './editor/transport.ts';
import { setTranslate } from './model/text/l10n.ts';

/** What `deactivate` waits for: subscriptions are disposed of, but not waited for. */
let end: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): RunhookApi {
  setTranslate(vscode.l10n.t);
  const log = createLog();
  const commands = new Commands(log);
  registerShowLog(commands, log);
  registerCommandLine(context);
  const scripted = context.extensionMode === vscode.ExtensionMode.Test ? new ScriptedPrompts() : undefined;
  const prompts = scripted ?? editorPrompts;
  const transport = createTransport(log);
  const keyring = readableSecrets(context.secrets);
  const tokens = new Tokens(keyring, context.globalState);
  const projects = new Projects(new ProjectSettings(), tokens, context.workspaceState, prompts, log);
  const secrets = webhookSecrets(keyring, projects);
  const base = { context, projects, commands, prompts, transport, log };
  const { globalState } = context;
  const applied = new AppliedSettings(globalState, Date.now, (id) => originOf(projects.service(id).baseUrl));
  const runs = new RunHistory(context.workspaceState);
  const appChildren = new RunNodes(runs, (id) => projects.isTransient(id));
  context.subscriptions.push(runs, appChildren);
  const workerPath = context.asAbsolutePath('dist/sandbox.worker.js');
  const sandbox = new Sandbox(workerPath, config.sandboxApps, context.workspaceState, log);
  context.subscriptions.push(
    registerProjects({ ...base, tokens, secrets, appChildren, lines: new SandboxLine(sandbox) }),
    registerAppSettings({ ...base, applied }),
    registerLeaks({ ...base, tokens, secrets }),
  );
  const listener = createListener(context, secrets, prompts, log);
  end = async () => {
    // The listener program goes on: it decides by itself for how long.
    await Promise.all([sandbox.stop(), projects.stored()]);
  };
  context.subscriptions.push(log, commands, ...(scripted ? [scripted] : []), transport, tokens, projects);
  context.subscriptions.push(registerSandbox(commands, sandbox, projects, prompts, log), sandbox);
  context.subscriptions.push(registerListener({ ...base, listener, secrets }), listener);
  const secret = async () => (await (await secrets.store()).ensure()).secret;
  const run = registerRun({ ...base, listener, secrets, runs });
  context.subscriptions.push(run);
  registerTunnels({ ...base, listener, secret });
  const explainer = lazyExplainer(context, listener);
  context.subscriptions.push(
    registerDeliveries({ context, commands, listener, explainer, prompts, log }),
    registerAgents({
      projects,
      listener,
      explainer,
      tokens,
      secrets,
      log,
      known: (app) => applied.known(app),
    }),
  );
  context.subscriptions.push(registerWalkthrough({ projects, tokens, applied, listener, log }));
  registerReset({ ...base, sandbox, listener, tokens, secrets, run });
  return {
    version: 1,
    onDidReceiveDelivery: listener.onDidReceiveDelivery,
    listDeliveries: () => listener.list(),
    get listenerState() {
      return listener.state;
    },
  };
}

export async function deactivate(): Promise<void> {
  await end?.();
}
