import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { Project } from '../../model/project.ts';
import type { Commands } from '../commands.ts';
import { commandIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts.ts';
import { AnswerDocuments } from './answerDocuments.ts';
import { AnswerFiles } from './answerFiles.ts';
import { PayloadLenses } from './payloadLenses.ts';
import { PayloadStore } from './payloadStore.ts';
import type { RunHistory } from './runHistory.ts';
import type { RunListener, RunProjects } from './runner.ts';

export interface RunFeatureParts {
  context: vscode.ExtensionContext;
  commands: Commands;
  prompts: Prompts;
  log: Log;
  projects: RunProjects & { all(): Project[] };
  listener: RunListener & {
    readonly onDidReceiveDelivery: vscode.Event<Delivery>;
    readonly onDidChangeDelivery: vscode.Event<Delivery>;
  };
  /** The secret that deliveries are signed with; a new one where there is none yet. */
  secret: () => Promise<string>;
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
  commandIds.runFile,
  commandIds.runAgain,
  commandIds.openRunDelivery,
  commandIds.cancelRun,
];

/** Running apps: payload documents, answers, history; what runs them is loaded with the first run. */
export function registerRun(parts: RunFeatureParts): RunFeature {
  const { context, commands, listener, runs: history } = parts;
  const storage = context.globalStorageUri;
  const payloads = new PayloadStore(vscode.Uri.joinPath(storage, 'payloads'));
  const documents = new AnswerDocuments();
  const files = new AnswerFiles(join(storage.fsPath, 'answers'));
  commands.registerLazily(commandSet, async () => {
    const { registerRunCommands } = await import('./registerRunCommands.ts');
    return () => context.subscriptions.push(registerRunCommands(parts, { payloads, documents, files }));
  });
  const note = (delivery: Delivery): void => history.noteDelivery(delivery);
  const disposables = vscode.Disposable.from(
    documents,
    new PayloadLenses(payloads).register(),
    listener.onDidReceiveDelivery(note),
    listener.onDidChangeDelivery(note),
  );
  return Object.assign(disposables, {
    erase: async () => {
      await history.erase();
      await payloads.erase();
      await files.erase();
    },
  });
}
