import type * as vscode from 'vscode';
import { systemClock } from '../../model/processes/clock.ts';
import type { CommandsOf } from '../commands.ts';
import { userAgent } from '../transport.ts';
import type { AnswerDocuments } from './answers/answerDocuments.ts';
import { PayloadActions } from './payloads/payloadActions.ts';
import { PayloadCommands } from './payloads/payloadCommands.ts';
import { LastChoices } from './lastChoices.ts';
import { PayloadChoices } from './payloads/payloadChoices.ts';
import { RunChoices } from './runChoices.ts';
import { RunCommands } from './runCommands.ts';
import { runFiles } from './history/runFiles.ts';
import { Runner } from './runner.ts';
import { RunSecret } from './runSecret.ts';
import { RunQuestion } from './runQuestion.ts';
import { RunView } from './history/runView.ts';
import type { Transport } from '../../client/transport.ts';
import type { Delivery } from '../../model/deliveries/delivery.ts';
import type { Project } from '../../model/projects/project.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { RunListener } from './runner.ts';
import type { RunProjects } from './runner.ts';
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

/** The commands that run apps, and those of payloads. Loaded with the first of them. */
export function commandSet(parts: RunFeatureParts, documents: AnswerDocuments): CommandsOf<'run'> {
  const { context, prompts, log, projects, listener, secrets, transport, runs: history } = parts;
  const { payloads, answers: files } = runFiles(context.globalStorageUri);
  const last = new LastChoices(context.workspaceState);
  const choices = new RunChoices({ prompts, projects, last });
  const actions = new PayloadActions(prompts, payloads, last);
  const payloadChoices = new PayloadChoices({ prompts, payloads, actions, last });
  const runner = new Runner({
    ...{ projects, listener, history, transport, now: Date.now },
    secret: new RunSecret(secrets, prompts, () => listener.configure()),
    question: new RunQuestion(prompts, context.workspaceState),
    userAgent: userAgent(context),
  });
  const isSandbox = (projectId: string): boolean => projects.isTransient(projectId);
  const view = new RunView({ runner, history, documents, files, clock: systemClock, isSandbox }, log);
  // Disposing of them cancels what runs.
  context.subscriptions.push(view, runner);
  return {
    ...new PayloadCommands({ prompts, payloads, choices, payloadChoices, actions }).commands(),
    ...new RunCommands({ payloads, choices, payloadChoices, last, runner, view, history }).commands(),
  };
}
