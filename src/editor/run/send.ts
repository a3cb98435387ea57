import { BrokenOffError, UnreachableError } from '../../service/client/errors.ts';
import { type RunAnswer, RunClient } from '../../service/client/runClient.ts';
import type { Transport } from '../../service/client/transport.ts';
import type { MadeDelivery, NotedRun } from '../../deliveries/listenerProtocol.ts';
import {
  maybeDeliveredBySandbox,
  notDeliveredBySandbox,
  sandboxStopped,
} from '../../service/projects/projectErrors.ts';
import { refusalText, refusedStatus, type Run, type RunOutcome } from '../../service/runs/run.ts';
import { jsonOrText, type PlainBody, plainBody } from '../../service/runs/plainBody.ts';
import { pageText } from '../../service/errorMessage.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import { isSuccess } from '../../shared/http/isSuccess.ts';
import { t } from '../../shared/text/l10n.ts';
import { answerFingerprint } from '../../deliveries/answerFingerprint.ts';
import { mendedFor } from '../kit/defaultRemedies.ts';
import type { Listener } from '../listener/feature.ts';
import type { Projects } from '../projects/feature.ts';
import type { AnswerStore } from './answers/answerFile.ts';
import { isBinary, shownBytes, toldAddresses } from './answers/answerText.ts';
import { ArrivingAnswer, type GatheredBody } from './answers/arrivingAnswer.ts';
import type { AllowedCall } from './ask.ts';
import type { RunHistory } from './history/runHistory.ts';

/** A call that was sent. */
export interface SentCall extends AllowedCall {
  run: Run;
  /** The answer as far as it has arrived. */
  arriving: ArrivingAnswer;
  /** The whole answer. Rejects with why none came, or not all of it. */
  answered: Promise<RunAppResult>;
}

/** What a run gives to its caller. */
export type RunAppResult = { status: number; headers: Record<string, string> } & RunFacts &
  PlainBody & { deliveredHere?: MadeDelivery };

/** What is known of a run after its answer. */
interface RunFacts {
  /** Runhook's own id of the run, for use if the answer names no run id. */
  id: string;
  runId?: string;
  /** Why the requested webhook will not come. */
  notDelivered?: string;
}

export interface SendParts {
  projects: Pick<Projects, 'isTransient' | 'noteAnswer' | 'ownService'>;
  listener: Pick<Listener, 'noteRun' | 'state'>;
  history: RunHistory;
  /** The stored answers of the runs. */
  answers: AnswerStore;
  transport: Transport;
  userAgent: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/**
 * Sends a call, keeps its answer while it arrives, and tells the history and the listener of both.
 * @param changed called whenever more of the answer has arrived
 */
export function send(parts: SendParts, call: AllowedCall, changed?: () => void): SentCall {
  const { history, answers, projects, now } = parts;
  const { input, kept, hold, access } = call;
  const run = history.begin(input, now(), {
    kept,
    serviceAccountId: access.serviceAccount.id,
    listenerPort: listenerPort(parts, call),
  });
  const addresses = toldAddresses({ ...call, proxyUrl: access.service.proxyUrl });
  const isSandbox = projects.isTransient(input.projectId);
  const isOwnService = projects.ownService(input.projectId) !== undefined;
  const record = { ...addresses, isSandbox, isOwnService };
  const arriving = new ArrivingAnswer({ run, store: answers, hold }, record);
  note(parts, run, { kind: 'awaited' });
  const answered = readAnswer(parts, call, run, arriving, changed).finally(() => arriving.letGo());
  return { ...call, run, arriving, answered };
}

/** The port of the listener, where the service delivers to it on this machine. */
function listenerPort({ listener: { state } }: SendParts, { url }: AllowedCall): number | undefined {
  if (state.kind !== 'listening') return undefined;
  const { origin } = new URL(state.url);
  return url.resultAddresses.some((address) => address.origin === origin) ? state.port : undefined;
}

/** Reads the answer to its end, and gathers it on the way. */
async function readAnswer(
  parts: SendParts,
  call: AllowedCall,
  run: Run,
  arriving: ArrivingAnswer,
  changed?: () => void,
): Promise<RunAppResult> {
  const { history, transport, userAgent, projects, now } = parts;
  const { input, url, secret, access, hold, signal } = call;
  const { method, headers: sent, body } = input;
  const client = new RunClient({ transport, userAgent, token: access.token });
  const since = (): number => now() - run.startedAt;
  const isSandbox = projects.isTransient(input.projectId);
  let gathered: GatheredBody | undefined;
  let head: RunAnswer;
  try {
    head = await client.run({ url, method, headers: sent, body, secret, most: hold }, signal);
    history.answering(run, since());
    gathered = arriving.begin({ status: head.status, headers: head.headers, afterMs: since() });
    for await (const piece of head.body) {
      await gathered.push(piece);
      identify(parts, run, gathered.runId);
      changed?.();
    }
  } catch (error) {
    const isStopped = isSandbox && !projects.isTransient(input.projectId);
    const told = isStopped ? sandboxStopped(error) : error;
    const outcome = failure(told, since(), signal);
    const isCut = isStopped && outcome.kind === 'failed';
    note(parts, run, { kind: 'missing' });
    history.end(run, isCut ? { ...outcome, short: t('sandbox stopped') } : outcome);
    gathered?.end();
    identify(parts, run, gathered?.runId);
    if (isCut) {
      const why = run.runId === undefined ? maybeDeliveredBySandbox() : notDeliveredBySandbox();
      history.setAwaited(run, false, why);
    }
    await arriving.end();
    const ref = { projectId: input.projectId, serviceAccountId: access.serviceAccount.id };
    throw mendedFor(told, ref, projects);
  }
  gathered.end();
  identify(parts, run, gathered.runId);
  const fingerprint = gathered.text === undefined ? undefined : answerFingerprint(gathered.text);
  note(parts, run, { kind: 'given', fingerprint });
  const { status, headers } = head;
  history.end(run, { kind: 'answered', status, durationMs: since(), bytes: gathered.bytes });
  if (refusedStatus(run) === 401) await projects.noteAnswer(input.projectId, access, 401);
  // A web page that names no run may be that of a proxy, where people sign in.
  else if (run.runId !== undefined || (isSuccess(status) && pageText(gathered.text ?? '') === undefined)) {
    await projects.noteAnswer(input.projectId, access, undefined);
  }
  await arriving.end();
  return { status, headers, ...resultBody(call, arriving, headers['content-type']), ...runFacts(run) };
}

function identify(parts: SendParts, run: Run, runId: string | undefined): void {
  if (runId === undefined || run.runId === runId) return;
  parts.history.identify(run, runId);
  note(parts, run);
}

/** Tells the listener what is known of a run, and the history which deliveries of it have arrived before. */
function note({ listener, history }: SendParts, run: Run, answer?: NotedRun['answer']): void {
  const { id, runId, startedAt, input } = run;
  if (input.webhook !== true && (runId === undefined || answer !== undefined)) return;
  const noted = { id, appName: input.appName, startedAt };
  void listener
    .noteRun({ ...noted, ...(runId !== undefined && { runId }), ...(answer && { answer }) })
    .then((arrived) => history.arrivedBefore(run, arrived));
}

/** How a run ended whose answer did not come, or not all of it. */
function failure(error: unknown, durationMs: number, signal?: AbortSignal): RunOutcome {
  if (signal?.aborted === true) return { kind: 'cancelled', durationMs };
  const reason = failureText(error);
  const wasSent = !(error instanceof UnreachableError) || error.wasSent;
  return {
    kind: 'failed',
    reason,
    durationMs,
    ...(error instanceof UnreachableError && { short: error.inRow }),
    ...(wasSent && { wasSent }),
    ...(error instanceof BrokenOffError && { bytes: error.bytes }),
  };
}

/** The whole body if the caller asked to hold it, otherwise as much as is shown, or a binary body's file. */
function resultBody({ hold }: AllowedCall, arriving: ArrivingAnswer, contentType?: string): PlainBody {
  const { body, file } = arriving;
  const { beginning = new Uint8Array(), whole = beginning } = body ?? {};
  if (hold !== undefined) return plainBody(whole, contentType);
  if (isBinary(contentType ?? '', beginning)) {
    return file === undefined ? plainBody(beginning, contentType) : { body: file };
  }
  return jsonOrText(new TextDecoder().decode(beginning.subarray(0, shownBytes)), contentType);
}

function runFacts(run: Run): RunFacts {
  const { id, runId, input } = run;
  const notDelivered = input.webhook === false ? undefined : refusalText(run);
  return { id, ...(runId !== undefined && { runId }), ...(notDelivered !== undefined && { notDelivered }) };
}
