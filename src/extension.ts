import * as vscode from 'vscode';
import type { RunhookApi } from './api.ts';
import { hasWork, tellOfProjects, whenFixture, whenLeakIsPossible } from './editor/activation/hasWork.ts';
import { registerCommands, registerProviders } from './editor/activation/providers.ts';
import { showTerminals } from './editor/commandLine/terminals.ts';
import type { Features, Shell } from './editor/features.ts';
import { schemes, viewIds } from './editor/kit/ids.ts';
import { lazyDocuments } from './editor/kit/documents.ts';
import { lazyView } from './editor/kit/lazyView.ts';
import { loadOnce } from './shared/async/loadOnce.ts';
import { answerPromptsCommand, toldCommand } from './editor/kit/scriptedPrompts.ts';
import { tellOfDoneSteps } from './editor/walkthrough/doneSteps.ts';
import { setTranslate } from './shared/text/l10n.ts';

/** Loaded on the first use of Runhook in this window. */
let features: Features | undefined;

/**
 * Registers what is cheap, and checks whether there is work to do before the user asks. All else is loaded on first
 * use, so that a window does not pay for what it does not use.
 */
export function activate(context: vscode.ExtensionContext): RunhookApi {
  const load = loadOnce(async () => {
    const { startFeatures } = await import('./editor/features.ts');
    features = startFeatures(context, shell);
    return features;
  });
  const start = (): void => void load().catch((error: unknown) => console.error(error));

  const shell: Shell = {
    projects: lazyView(viewIds.projects, { showCollapseAll: true }, load),
    deliveries: lazyView(viewIds.deliveries, { showCollapseAll: true, canSelectMany: true }, load),
    deliveryDocuments: lazyDocuments(schemes.delivery, load),
    answerDocuments: lazyDocuments(schemes.answer, load),
  };
  context.subscriptions.push(
    ...Object.values<vscode.Disposable>({ ...shell }),
    registerProviders(context.extension, load),
    ...registerCommands(context.extension, load),
    whenLeakIsPossible(context.secrets, start),
    whenFixture(start),
  );
  if (context.extensionMode === vscode.ExtensionMode.Test) {
    const answer = async (answers: unknown[]) => (await load()).scripted?.script(answers);
    context.subscriptions.push(
      vscode.commands.registerCommand(answerPromptsCommand, answer),
      vscode.commands.registerCommand(toldCommand, async () => (await load()).scripted?.told()),
    );
  }
  setTranslate(vscode.l10n.t);
  showTerminals(context);
  tellOfDoneSteps(context);

  const check = (): void => {
    if (features !== undefined) return;
    tellOfProjects(context.globalState);
    if (hasWork(context, Date.now())) start();
  };
  context.subscriptions.push(
    vscode.window.onDidChangeWindowState(({ focused }) => focused && check()),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('runhook') && check()),
    vscode.workspace.onDidChangeWorkspaceFolders(check),
  );
  check();

  return {
    version: 1,
    onDidReceiveDelivery: (...subscribed) => {
      start();
      if (shell.received === undefined)
        context.subscriptions.push((shell.received = new vscode.EventEmitter()));
      return shell.received.event(...subscribed);
    },
    listDeliveries: async () => (await load()).listener.list(),
    get listenerState() {
      return features?.listener.state ?? { kind: 'stopped' };
    },
  };
}

export async function deactivate(): Promise<void> {
  await features?.end();
}
