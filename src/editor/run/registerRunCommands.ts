import { userAgent } from '../transport.ts';
import type { AnswerDocuments } from './answerDocuments.ts';
import type { AnswerFiles } from './answerFiles.ts';
import type { RunFeatureParts } from './feature.ts';
import type { PayloadStore } from './payloadStore.ts';
import { RunChoices } from './runChoices.ts';
import { RunCommands } from './runCommands.ts';
import { Runner } from './runner.ts';
import { RunView } from './runView.ts';

/** What the feature keeps whether or not anything has run. */
export interface RunStores {
  payloads: PayloadStore;
  documents: AnswerDocuments;
  files: AnswerFiles;
}

/** Registers the commands that run apps. Disposing of the result cancels what runs. */
export function registerRunCommands(parts: RunFeatureParts, stores: RunStores): { dispose(): void } {
  const { context, commands, prompts, log, projects, listener, secret, transport, runs: history } = parts;
  const { payloads, documents, files } = stores;
  const now = (): number => Date.now();
  const choices = new RunChoices(prompts, payloads, context.workspaceState);
  const runner = new Runner({
    ...{ projects, listener, secret, history, transport, now },
    userAgent: userAgent(context),
  });
  const view = new RunView({ runner, history, documents, files, now }, log);
  new RunCommands({ projects, payloads, choices, runner, view, history }).register(commands);
  return view;
}
