import * as vscode from 'vscode';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import { settingsAddresses } from '../appSettings/settingsDocuments.ts';
import type { CommandId } from '../../contract/commands.ts';
import type { Features } from '../features.ts';
import { mcpServerDefinition } from '../agents/mcpServer.ts';
import { mcpServers, panelTypes, suffixes, taskType, toolIds } from '../kit/ids.ts';
import { textDocuments } from '../kit/documents.ts';

/** Run by a button of the walkthrough, which is there before the features are. The manifest does not declare it. */
const commandOfWalkthrough: CommandId = 'runhook.breakDelivery';

/**
 * Registers the commands that the manifest declares. Their features are loaded with the first call of one. The features
 * register all others themselves, since only what they show runs those.
 */
export function registerCommands(
  { packageJSON }: vscode.Extension<unknown>,
  load: () => Promise<Features>,
): vscode.Disposable[] {
  const { contributes } = packageJSON as { contributes: { commands: { command: CommandId }[] } };
  const declared = contributes.commands.map(({ command }) => command);
  return [...declared, commandOfWalkthrough].map((id) =>
    vscode.commands.registerCommand(id, async (...given) => (await load()).commands.run(id, given)),
  );
}

/** Registers the providers for documents, panels, tasks, debugging and chats. Each is loaded on its first request. */
export function registerProviders(
  extension: vscode.Extension<unknown>,
  load: () => Promise<Features>,
): vscode.Disposable {
  const payloads = { pattern: `**/*${suffixes.payload}` };
  const lensesChanged = new vscode.EventEmitter<void>();
  const payloadLanguage = loadOnce(async () =>
    (await load()).run.payloadLanguage(() => lensesChanged.fire()),
  );
  const settingsLenses = loadOnce(async () => (await load()).appSettings.lenses(() => lensesChanged.fire()));
  return vscode.Disposable.from(
    textDocuments(settingsAddresses, ({ text = '' }) => `${text}\n`),
    lensesChanged,
    vscode.languages.registerCodeLensProvider(payloads, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses: async (document) => (await payloadLanguage()).provideCodeLenses(document),
    }),
    vscode.languages.registerCompletionItemProvider(
      payloads,
      {
        provideCompletionItems: async (document, at) =>
          (await payloadLanguage()).provideCompletionItems(document, at),
      },
      '"',
      ':',
    ),
    vscode.languages.registerCodeLensProvider(
      { pattern: `**/*${suffixes.settings}` },
      {
        onDidChangeCodeLenses: lensesChanged.event,
        provideCodeLenses: async (...asked) => (await settingsLenses()).provideCodeLenses(...asked),
      },
    ),
    registerPanels(panelTypes.appSettings, async () => (await load()).appSettings.panels()),
    registerPanels(panelTypes.explanation, async () => (await load()).deliveries.explanations()),
    registerPanels(panelTypes.timeline, async () => (await load()).timeline.panels()),
    vscode.tasks.registerTaskProvider(taskType, {
      provideTasks: async (...asked) => (await load()).tasks.provideTasks(...asked),
      resolveTask: async (...asked) => (await load()).tasks.resolveTask(...asked),
    }),
    registerConfigurations(load),
    ...(Object.keys(toolIds) as (keyof typeof toolIds)[]).map((name) => registerTool(name, load)),
    vscode.lm.registerMcpServerDefinitionProvider(mcpServers, {
      provideMcpServerDefinitions: () => [mcpServerDefinition(extension)],
    }),
  );
}

/**
 * Offers a launch configuration to each debugger that is there: F5 would list one that is not as "undefined". That of
 * Node.js has its own under `pwa-node`, which the editor would show no more: of a type it asks one provider.
 */
function registerConfigurations(load: () => Promise<Features>): vscode.Disposable {
  const register = () =>
    vscode.Disposable.from(
      ...['node', 'debugpy'].filter(hasDebugger).map((type) =>
        vscode.debug.registerDebugConfigurationProvider(
          type,
          {
            provideDebugConfigurations: async (folder) => (await load()).debug.configurations(type, folder),
          },
          vscode.DebugConfigurationProviderTriggerKind.Dynamic,
        ),
      ),
    );
  let registered = register();
  return vscode.Disposable.from(
    vscode.extensions.onDidChange(() => {
      registered.dispose();
      registered = register();
    }),
    new vscode.Disposable(() => void registered.dispose()),
  );
}

/** Whether an installed extension debugs a type. */
function hasDebugger(type: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const { contributes } = packageJSON as { contributes?: { debuggers?: { type: string }[] } };
    return contributes?.debuggers?.some((one) => one.type === type) ?? false;
  });
}

/** Panels that are restored after a reload of the window. */
function registerPanels(
  viewType: string,
  panels: () => Promise<vscode.WebviewPanelSerializer>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(viewType, {
    deserializeWebviewPanel: async (...given) => (await panels()).deserializeWebviewPanel(...given),
  });
}

function registerTool(name: keyof typeof toolIds, load: () => Promise<Features>): vscode.Disposable {
  const tool = async () => (await (await load()).tools())[name];
  return vscode.lm.registerTool<unknown>(toolIds[name], {
    prepareInvocation: async (...asked) => (await tool()).prepareInvocation?.(...asked),
    invoke: async (...asked) => (await tool()).invoke(...asked),
  });
}
