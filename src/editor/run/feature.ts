import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Transport } from '../../client/transport.ts';
import type { Delivery } from '../../model/delivery.ts';
import type { Project } from '../../model/project.ts';
import type { Commands } from '../commands.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts.ts';
import { userAgent } from '../transport.ts';
import { AnswerDocuments } from './answerDocuments.ts';
import { AnswerFiles } from './answerFiles.ts';
import { PayloadLenses } from './payloadLenses.ts';
import { PayloadStore } from './payloadStore.ts';
import { RunChoices } from './runChoices.ts';
import { RunCommands } from './runCommands.ts';
import type { RunHistory } from './runHistory.ts';
import { Runner, type RunListener, type RunProjects } from './runner.ts';
import { RunView } from './runView.ts';

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

/** Running apps: payload documents, answers, history. */
export function registerRun(parts: RunFeatureParts): RunFeature {
  const { context, commands, prompts, log, projects, listener, secret, transport, runs: history } = parts;
  const now = (): number => Date.now();
  const storage = context.globalStorageUri;
  const payloads = new PayloadStore(vscode.Uri.joinPath(storage, 'payloads'));
  const choices = new RunChoices(prompts, payloads, context.workspaceState);
  const runner = new Runner({
    ...{ projects, listener, secret, history, transport, now },
    userAgent: userAgent(context),
  });
  const documents = new AnswerDocuments();
  const files = new AnswerFiles(join(storage.fsPath, 'answers'));
  const view = new RunView({ runner, history, documents, files, now }, log);
  new RunCommands({ projects, payloads, choices, runner, view, history }).register(commands);
  const note = (delivery: Delivery): void => history.noteDelivery(delivery);
  const disposables = vscode.Disposable.from(
    view,
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
