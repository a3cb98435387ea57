import * as vscode from 'vscode';
import { commandIds, type Argument } from '../../contract/commands.ts';
import type { MadeDelivery } from '../../deliveries/listenerProtocol.ts';
import type { AppRef } from '../../service/projects/project.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { accountOf, type Run, type RunInput } from '../../service/runs/run.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { mendedBy, UserError } from '../../shared/text/userError.ts';
import { clicked, type CommandsOf } from '../kit/commands.ts';
import type { Services } from '../kit/services.ts';
import { DeclinedError } from '../kit/prompts.ts';
import { givenFile } from '../kit/files.ts';
import { userAgent } from '../kit/transport.ts';
import { showDocument } from '../kit/showDocument.ts';
import { answerCommands } from './answers/answerCommands.ts';
import type { AnswerDocuments } from './answers/answerDocument.ts';
import type { AnswerStore } from './answers/answerFile.ts';
import type { RunAnswers } from './answers/runAnswers.ts';
import { agreeToEmpty, allowed, type AllowedCall, type AskParts } from './ask.ts';
import { copyCommands } from './copyCommand.ts';
import type { RunHistory } from './history/runHistory.ts';
import type { LastChoices, UsualWay } from './lastChoices.ts';
import { Payloads } from './payloads/payloads.ts';
import type { PayloadStore } from './payloads/payloadStore.ts';
import type { WorkspacePayloads } from './payloads/workspacePayloads.ts';
import {
  askedCall,
  type Call,
  fileCall,
  givenApp,
  lastCall,
  type ResolveParts,
  usualProject,
} from './resolve.ts';
import { deliverHere, tellDeliveredHere } from './deliverHere.ts';
import { type RunAppResult, send, type SendParts, type SentCall } from './send.ts';
import { ShownRuns } from './show.ts';

export interface RunFeatureParts extends Services {
  /** The payloads of the workspace, and those of this machine. */
  payloads: { store: PayloadStore; shared: WorkspacePayloads };
  last: LastChoices;
}

/** What runs show, and where their answers are stored. */
interface ShownAnswers {
  documents: AnswerDocuments;
  answers: RunAnswers;
  store: AnswerStore;
  /** The signal that cancels all runs that are sent now. */
  cancelled: () => AbortSignal;
}

/** The commands of runs, payloads and answers. Loaded when the first of them is used. */
export function runCommands(
  parts: RunFeatureParts,
  { documents, answers, store, cancelled }: ShownAnswers,
): CommandsOf<'run'> {
  const { context, prompts, log, projects, listener, transport, last, runs: history } = parts;
  const { workspaceState, globalState, subscriptions } = context;
  const asking: AskParts = { ...parts, workspaceState, workspace: vscode.workspace };
  const isUsual = ({ projectId, appName }: AppRef) => usualProject({ projects, last }, appName) === projectId;
  const payloads = new Payloads({
    ...{ prompts, ...parts.payloads, last, isUsual, memento: globalState, log },
    created: (payload) => agreeToEmpty(asking, payload),
  });
  const resolving: ResolveParts = { ...parts, payloads };
  const sending: SendParts = {
    ...{ projects, listener, history, answers: store, transport },
    ...{ userAgent: userAgent(context), now: Date.now },
  };
  const shown = new ShownRuns({
    allowed: async (call) => {
      const agreed = await allowed(asking, call);
      if (call.isWayChosen !== undefined) await last.rememberWay(agreed.input, wayOf(agreed.input));
      return agreed;
    },
    send: sent,
    ...{ history, documents, listener, clock: systemClock, prompts, log },
  });
  // Disposing of what is shown cancels runs in progress.
  subscriptions.push(shown);

  /** Sends a call. Where it says so, its delivery is made here once its response has come. */
  function sent(call: AllowedCall, changed?: () => void): SentCall {
    const signal = AbortSignal.any([cancelled(), ...(call.signal ? [call.signal] : [])]);
    const one = send(sending, { ...call, signal }, changed);
    if (call.input.deliverHere !== true) return one;
    const answered = one.answered.then(async (result) => {
      return { ...result, deliveredHere: await made(one.run, signal) };
    });
    return { ...one, answered };
  }

  /** Once more alone if it fails: the run is not repeated for it. */
  async function made(run: Run, signal = cancelled()): Promise<MadeDelivery> {
    try {
      signal.throwIfAborted();
      return tellDeliveredHere(await deliverHere({ answers, listener }, run));
    } catch (error) {
      signal.throwIfAborted();
      throw mendedBy(error, [{ kind: 'tryAgain' }], () => made(run));
    }
  }

  /** Asks, sends, and shows the answer, unless it is to be quiet. Resolves with the whole answer. */
  async function run(call: Call, quiet = false): Promise<RunAppResult> {
    if (!quiet) return shown.run(call);
    const agreed = await allowed(asking, { ...call, hold: longestHeld });
    call.signal?.throwIfAborted();
    return sent(agreed).answered;
  }

  /** The payload that was last run; `name: ''` asks which one. */
  async function payloadUri({ name, file, ...given }: Argument<'openPayload'>) {
    if (file !== undefined) return givenFile(file);
    const app = await givenApp(resolving, given);
    if (app === undefined) return undefined;
    if (name === '') return payloads.pick(app);
    const last = name === undefined ? await payloads.last(app) : undefined;
    return last ?? payloads.open({ ...app, name: name ?? app.appName });
  }

  return {
    ...copyCommands({ ...parts, history, resolving, memento: globalState }),
    ...answerCommands({
      ...{ prompts, resolving, history, answers, documents, listener },
      ...{ sandbox: parts.sandbox, memento: globalState },
    }),
    openPayload: async (given = {}) => {
      const uri = await payloadUri(given);
      if (uri !== undefined) await showDocument(uri);
      return uri?.toString();
    },
    runApp: async (argument, from) =>
      from === 'caller' && isComplete(argument)
        ? run(callOf(argument), argument.quiet)
        : run(await askedCall(resolving, argument ?? {})),
    runPayload: async (given = {}) => run(await lastCall(resolving, given, 'plain')),
    runPayloadWithWebhook: async (given = {}) => run(await lastCall(resolving, given, 'webhook')),
    runPayloadAndDeliverHere: async (given = {}) => run(await lastCall(resolving, given, 'here')),
    runFile: (given = {}, from) =>
      unlessDeclined(async () => {
        const call = await fileCall(resolving, given, from !== 'caller');
        return run({ ...call, signal: signalIn(given) }, given.quiet);
      }),
    runAgain: (argument) => unlessDeclined(async () => run({ input: repeatable(history, argument?.id) })),
    setTokenOfRun: async (argument) => {
      const one = kept(history, argument?.id);
      const set = await vscode.commands.executeCommand(commandIds.setToken, ...clicked(accountOf(one)));
      // Another account may have come into use since.
      if (set === undefined || projects.activeAccount(one.input.projectId)?.id !== one.serviceAccountId)
        return;
      await vscode.commands.executeCommand(commandIds.runAgain, ...clicked({ id: one.id }));
    },
    openRunDelivery: async (argument) => {
      const delivery = history.all().find((one) => one.id === argument?.id)?.delivery;
      if (delivery === undefined) throw new UserError(t('Nothing was delivered for this run.'));
      await vscode.commands.executeCommand(commandIds.openDelivery, { id: delivery.id });
    },
    deliverHere: (argument) => made(kept(history, argument?.id)),
    cancelRun: (argument, from) => (from === 'palette' ? shown.cancelPicked() : shown.cancel(argument?.id)),
  };
}

function wayOf({ webhook, deliverHere }: RunInput): UsualWay {
  if (deliverHere === true) return 'here';
  return webhook === false ? 'plain' : 'webhook';
}

/** Swallows a DeclinedError. For links in a document: the editor would show it to the user who just declined. */
async function unlessDeclined<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof DeclinedError) return undefined;
    throw error;
  }
}

/** The run with this id: Runhook's own, or the service's. Without one, the last run. @throws UserError if there is none */
function kept(history: RunHistory, id: string | undefined): Run {
  const run = history.sent(id) ?? history.all().find(({ runId }) => runId === id);
  if (run !== undefined) return run;
  const what = id === undefined ? t('There is no run yet.') : t('There is no run {0}.', plainText(id));
  throw new UserError(what, { remedies: [{ kind: 'runApp' }] });
}

/** The input of the run with this id, or of the last run. @throws UserError if it is no longer known */
function repeatable(history: RunHistory, id: string | undefined): RunInput {
  const run = history.sent(id);
  if (run === undefined) {
    const what = id === undefined ? t('There is no run yet.') : t('This run is no longer kept.');
    throw new UserError(what, { remedies: [{ kind: 'runApp' }] });
  }
  if (run.bodyDropped === true) {
    throw new UserError(
      t(
        'The request of this run is not kept: it is too large, or contains an environment variable or a password. Run it from its payload.',
      ),
      { remedies: [{ kind: 'runApp' }] },
    );
  }
  return run.input;
}

type RunAppArgument = Argument<'runApp'> & { projectId: string; appName: string };

/** Whether the argument names the app, so that nothing has to be asked. */
function isComplete(argument: Argument<'runApp'> | undefined): argument is RunAppArgument {
  return argument?.projectId !== undefined && argument.appName !== undefined;
}

/** The longest answer that is held in memory, in bytes. */
const longestHeld = 64 * 1024 * 1024;

/**
 * The call that the argument describes. A POST, PUT or PATCH without a body sends an empty object. The editor may show
 * only the beginning of an answer, or a file: the caller gets all of it.
 */
function callOf(argument: RunAppArgument): Call {
  const { projectId, appName, path, method, headers, body, webhook, secret, confirmed } = argument;
  const isMadeHere = webhook === 'here';
  const input: RunInput = { projectId, appName, path, method, headers, webhook: !isMadeHere && webhook };
  if (isMadeHere) input.deliverHere = true;
  if (body !== undefined) input.body = JSON.stringify(body);
  else if (/^(post|put|patch)$/i.test(method)) input.body = '{}';
  if (secret !== undefined) input.signing = secret === false ? 'unsigned' : 'once';
  return {
    ...{ input, confirmed, hold: longestHeld, signal: signalIn(argument) },
    secret: secret === false ? undefined : secret,
  };
}

function signalIn({ signal }: { signal?: unknown }): AbortSignal | undefined {
  return signal instanceof AbortSignal ? signal : undefined;
}
