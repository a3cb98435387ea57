import type { AnswerStore } from './answers/answerFile.ts';
import { systemClock } from '../../model/processes/clock.ts';
import type { CommandsOf } from '../commands.ts';
import type { Listener, WebhookSecrets } from '../listener/feature.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { userAgent } from '../transport.ts';
import { answerCommands } from './answers/answerCommands.ts';
import type { AnswerDocuments } from './answers/answerDocuments.ts';
import { AnswerSaver } from './answers/answerSaver.ts';
import type { RunAnswers } from './answers/runAnswers.ts';
import { RunView } from './history/runView.ts';
import { copyCommands } from './copyCommand.ts';
import { FileCalls } from './fileCalls.ts';
import { LastChoices } from './lastChoices.ts';
import { Payloads, PayloadMove } from './payloads/payloads.ts';
import { PayloadAnswers, PayloadReader } from './payloads/payloadReader.ts';
import type { PayloadStore } from './payloads/payloadStore.ts';
import type { WorkspacePayloads } from './payloads/workspacePayloads.ts';
import { RunChoices } from './runChoices.ts';
import { runCommands } from './runCommands.ts';
import { Runner } from './runner.ts';
import { agreeToEmpty, askBeforeRun } from './runQuestion.ts';
import { t } from '../../model/text/l10n.ts';
import { plainText } from '../../model/text/plainText.ts';
import type { RunInput } from '../../model/runs/run.ts';
import { UserError } from '../../model/text/userError.ts';
import { secretProblem, unsendableReason } from '../../model/secrets/webhookSecret.ts';
import type { AppRef } from '../../model/projects/project.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import type { Services } from '../kit/services.ts';

export interface RunFeatureParts extends Services {
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

/** Where the secret that signs a webhook comes from. */
interface SecretParts {
  secrets: Pick<WebhookSecrets, 'store'>;
  prompts: Prompts;
  listener: Pick<Listener, 'configure'>;
}

/**
 * Finds the secret that signs the webhook of a run.
 * @param given the secret for this run only; if the run needs one and it is absent, the user is asked
 * @returns undefined if the webhook is not signed
 * @throws UserError if no header can carry the secret, DeclinedError if the user gives none
 */
export async function runSecret(
  { secrets, prompts, listener }: SecretParts,
  { projectId, appName, signing }: RunInput,
  given?: string,
): Promise<string | undefined> {
  if (signing === 'unsigned') return undefined;
  const app = { projectId, appName };
  const store = await secrets.store();
  const secret =
    signing === 'once' ? (given ?? (await askOnce(prompts, appName))) : (await store.ensure(app)).secret;
  const problem = problemOf(secret);
  if (problem !== undefined) throw new UserError(problem, { remedies: [{ kind: 'setWebhookSecret' }] });
  if (signing === 'once') store.holdOnce(secret, app);
  // The delivery may arrive before the run is answered.
  await listener.configure();
  return secret;
}

async function askOnce(prompts: Prompts, appName: string): Promise<string> {
  const secret = await prompts.input({
    title: t('Run {0}', plainText(appName)),
    prompt: t('The secret that signs this run: held in memory for an hour, and not stored'),
    password: true,
    validate: problemOf,
  });
  if (secret === undefined) throw new DeclinedError(t('Nothing was run.'));
  return secret;
}

function problemOf(secret: string): string | undefined {
  const problem = secretProblem(secret);
  if (problem !== undefined) return problem;
  const reason = unsendableReason(secret);
  return (
    reason &&
    t('The webhook secret cannot be sent with a run: {0}. Set another one, or run unsigned.', reason)
  );
}
