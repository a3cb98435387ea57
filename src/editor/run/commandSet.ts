import type * as vscode from 'vscode';
import type { AnswerStore } from '../../client/answers/answerStore.ts';
import type { Transport } from '../../client/transport.ts';
import { systemClock } from '../../model/processes/clock.ts';
import type { CommandsOf } from '../commands.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';
import type { Log } from '../log.ts';
import type { AppRef, Projects, Tokens } from '../projects/feature.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { userAgent } from '../transport.ts';
import { answerCommands } from './answers/answerCommands.ts';
import type { AnswerDocuments } from './answers/answerDocuments.ts';
import { AnswerSaver } from './answers/answerSaver.ts';
import type { RunAnswers } from './answers/runAnswers.ts';
import type { RunHistory } from './history/runHistory.ts';
import { RunView } from './history/runView.ts';
import { copyCommands } from './copyCommand.ts';
import { FileCalls } from './fileCalls.ts';
import { LastChoices } from './lastChoices.ts';
import { Payloads } from './payloads/payloads.ts';
import { PayloadAnswers } from './payloads/payloadAnswers.ts';
import { PayloadMove } from './payloads/payloadMove.ts';
import { PayloadReader } from './payloads/payloadReader.ts';
import type { PayloadStore } from './payloads/payloadStore.ts';
import type { WorkspacePayloads } from './payloads/workspacePayloads.ts';
import { RunChoices } from './runChoices.ts';
import { runCommands } from './runCommands.ts';
import { Runner } from './runner.ts';
import { agreeToEmpty, askBeforeRun } from './runQuestion.ts';
import { runSecret } from './runSecret.ts';

export interface RunFeatureParts {
  context: vscode.ExtensionContext;
  prompts: Prompts;
  log: Log;
  projects: Projects;
  tokens: Tokens;
  listener: Listener;
  secrets: WebhookSecrets;
  transport: Transport;
  runs: RunHistory;
  /** The payloads of the workspace, and those of this machine. */
  payloads: { store: PayloadStore; shared: WorkspacePayloads };
}

/** What runs show, and where their answers are stored. */
export interface ShownAnswers {
  documents: AnswerDocuments;
  answers: RunAnswers;
  store: AnswerStore;
}

/** The commands of runs and payloads. Loaded when the first of them is used. */
export function commandSet(
  parts: RunFeatureParts,
  { documents, answers, store }: ShownAnswers,
): CommandsOf<'run'> {
  const { context, prompts, log, projects, listener, tokens, transport, runs: history } = parts;
  const { workspaceState, globalState: memento } = context;
  const last = new LastChoices(workspaceState);
  const choices = new RunChoices({ prompts, projects, last });
  const isUsual = ({ projectId, appName }: AppRef) => choices.usualProject(appName) === projectId;
  const payloads = new Payloads({
    ...{ prompts, ...parts.payloads, last },
    move: new PayloadMove({ prompts, ...parts.payloads, isUsual, memento, log }),
    created: (payload) => agreeToEmpty(projects, workspaceState, payload),
  });
  const reader = new PayloadReader({
    ...parts,
    answers: new PayloadAnswers(prompts, workspaceState),
    environment: process.env,
  });
  const calls = new FileCalls({ payloads, reader, choices, last });
  const runner = new Runner({
    ...{ projects, listener, history, answers: store, transport, now: Date.now },
    isSandbox: (projectId) => projects.isTransient(projectId),
    secretOf: (input, given) => runSecret(parts, input, given),
    ask: (run) => askBeforeRun(prompts, workspaceState, run),
    userAgent: userAgent(context),
  });
  const view = new RunView({ runner, history, documents, listener, clock: systemClock }, prompts, log);
  // Disposing of the view cancels runs in progress.
  context.subscriptions.push(view, runner);
  return {
    ...copyCommands({ runner, history, calls, listener, tokens, prompts, memento }),
    ...runCommands({ payloads, calls, choices, runner, view, history }),
    ...answerCommands({
      ...{ prompts, choices, history, answers, documents },
      saver: new AnswerSaver(answers, prompts, memento),
    }),
  };
}
