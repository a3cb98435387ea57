import * as vscode from 'vscode';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import { commandIds } from '../ids.ts';
import { AnswerDocuments } from './answers/answerDocuments.ts';
import type { PayloadLanguage } from './payloads/payloadLanguage.ts';
import { payloadSuffix } from '../../model/runs/payloadSuffix.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { RunFeatureParts } from './registerRunCommands.ts';

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
