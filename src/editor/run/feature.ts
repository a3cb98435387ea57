import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { Project } from '../../model/projects/project.ts';
import type { Provides } from '../commands.ts';
import { loadOnce } from '../loadOnce.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { AnswerDocuments } from './answers/answerDocuments.ts';
import type { PayloadLanguage } from './payloads/payloadLanguage.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { RunListener, RunProjects } from './runner.ts';
import type { RunSecrets } from './runSecret.ts';

export interface RunFeatureParts {
  context: vscode.ExtensionContext;
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
export interface RunFeature extends Provides<'run'> {
  /** The documents of answers, and what the editor offers in payload documents. */
  answers: vscode.TextDocumentContentProvider;
  payloadLanguage(): Promise<PayloadLanguage>;
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
  );
  return {
    commands: async () => (await import('./commandSet.ts')).commandSet(parts, answers),
    answers,
    payloadLanguage: loadOnce(async () => {
      const { PayloadLanguage } = await import('./payloads/payloadLanguage.ts');
      return new PayloadLanguage(storage, history);
    }),
    erase: async () => {
      const { eraseRunFiles } = await import('./history/runFiles.ts');
      await history.erase();
      await eraseRunFiles(storage);
    },
    dispose: () => void owned.dispose(),
  };
}
