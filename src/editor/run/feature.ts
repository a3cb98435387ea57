import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { Project } from '../../model/projects/project.ts';
import type { Commands } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { AnswerDocuments } from './answers/answerDocuments.ts';
import type { PayloadLanguage } from './payloads/payloadLanguage.ts';
import { payloadSuffix } from '../../model/runs/payloadSuffix.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { RunListener, RunProjects } from './runner.ts';
import type { RunSecrets } from './runSecret.ts';

export interface RunFeatureParts {
  context: vscode.ExtensionContext;
  commands: Commands;
  prompts: Prompts;
  log: Log;
  projects: RunProjects & { all(): Project[]; isTransient(projectId: string): boolean };
  listener: RunListener & {
    readonly onDidReceiveDelivery: vscode.Event<Delivery>;
    readonly onDidChangeDelivery: vscode.Event<Delivery>;
    /** Has it go by the secrets that are held now. */
    configure(): Promise<void>;
  };
  secrets: RunSecrets;
  transport: Transport;
  runs: RunHistory;
}

/** Running, until it is disposed of. */
export type RunFeature = vscode.Disposable & {
  /** Removes all payloads, runs and answers. */
  erase(): Promise<void>;
};

const commandSet = [
  commandIds.runApp,
  commandIds.runPayload,
  commandIds.openPayload,
  commandIds.renamePayload,
  commandIds.duplicatePayload,
  commandIds.deletePayload,
  commandIds.runFile,
  commandIds.runAgain,
  commandIds.openRunDelivery,
  commandIds.cancelRun,
];

/** Running apps: payload documents, answers, history; what runs them is loaded with the first run. */
export function registerRun(parts: RunFeatureParts): RunFeature {
  const { context, commands, listener, runs: history } = parts;
  const documents = new AnswerDocuments();
  commands.registerLazily(commandSet, async () => {
    const { registerRunCommands } = await import('./registerRunCommands.ts');
    return () => context.subscriptions.push(registerRunCommands(parts, documents));
  });
  const note = (delivery: Delivery): void => history.noteDelivery(delivery);
  const disposables = vscode.Disposable.from(
    documents,
    registerPayloadLanguage(context.globalStorageUri, history),
    listener.onDidReceiveDelivery(note),
    listener.onDidChangeDelivery(note),
  );
  return Object.assign(disposables, {
    erase: async () => {
      const { eraseRunFiles } = await import('./history/runFiles.ts');
      await history.erase();
      await eraseRunFiles(context.globalStorageUri);
    },
  });
}

/** What the editor offers in payload documents: loaded with the first of them. */
function registerPayloadLanguage(storage: vscode.Uri, history: RunHistory): vscode.Disposable {
  let loaded: Promise<PayloadLanguage> | undefined;
  const load = (): Promise<PayloadLanguage> =>
    (loaded ??= import('./payloads/payloadLanguage.ts').then(
      (module) => new module.PayloadLanguage(storage, history),
    ));
  const documents = { pattern: `**/*${payloadSuffix}` };
  const lenses: vscode.CodeLensProvider = {
    provideCodeLenses: async (document) => (await load()).provideCodeLenses(document),
  };
  const completion: vscode.CompletionItemProvider = {
    provideCompletionItems: async (document, at) => (await load()).provideCompletionItems(document, at),
  };
  return vscode.Disposable.from(
    vscode.languages.registerCodeLensProvider(documents, lenses),
    vscode.languages.registerCompletionItemProvider(documents, completion, '"', ':'),
  );
}
