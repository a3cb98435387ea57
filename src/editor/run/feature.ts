import * as vscode from 'vscode';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { Provides } from '../commands.ts';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { RunFeatureParts } from './commandSet.ts';
import { AnswerDocuments } from './answers/answerDocuments.ts';
import type { payloadLanguage } from './payloads/payloadLanguage.ts';

/** Running, until it is disposed of. */
export interface RunFeature extends Provides<'run'> {
  /** The documents of answers, and what the editor offers in payload documents. */
  answers: vscode.TextDocumentContentProvider;
  payloadLanguage(): Promise<ReturnType<typeof payloadLanguage>>;
  /** Removes all payloads, runs and answers. */
  erase(): Promise<void>;
}

/** Running apps: payload documents, answers, history; what runs them is loaded with the first run. */
export function registerRun(parts: RunFeatureParts): RunFeature {
  const { context, listener, runs: history } = parts;
  const { globalStorageUri: storage } = context;
  const answers = new AnswerDocuments();
  const note = (delivery: Delivery): void => history.noteDelivery(delivery);
  const owned = vscode.Disposable.from(
    answers,
    listener.onDidReceiveDelivery(note),
    listener.onDidChangeDelivery(note),
    listener.onDidReceiveNews(({ brokenOff }) => brokenOff.forEach((one) => history.noteBrokenOff(one))),
  );
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(parts, answers),
    answers,
    payloadLanguage: loadOnce(async () => {
      const { payloadLanguage } = await import('./payloads/payloadLanguage.ts');
      return payloadLanguage(storage, history);
    }),
    erase: async () => {
      const { AnswerFiles } = await import('../../client/answers/answerFiles.ts');
      const { PayloadStore } = await import('./payloads/payloadStore.ts');
      await history.erase();
      await new PayloadStore(storage).erase();
      await new AnswerFiles(storage.fsPath).erase();
    },
    dispose: () => void owned.dispose(),
  };
}
