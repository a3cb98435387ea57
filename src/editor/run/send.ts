import { BrokenOffError } from '../../client/errors.ts';
import { type RunAnswer, RunClient } from '../../client/runClient.ts';
import type { Transport } from '../../client/transport.ts';
import type { NotedRun } from '../../model/processes/listenerProtocol.ts';
import { refusalText, refusedStatus, type Run } from '../../model/runs/run.ts';
import { failureText } from '../../model/service/failureReason.ts';
import { isSuccess } from '../../model/service/isSuccess.ts';
import { answerFingerprint } from '../../webhooks/deliveries/answerFingerprint.ts';
import type { Listener } from '../listener/feature.ts';
import type { Projects } from '../projects/feature.ts';
import type { AnswerStore } from './answers/answerFile.ts';
import {
  isBinary,
  jsonOrText,
  type PlainBody,
  plainBody,
  shownBytes,
  toldAddresses,
} from './answers/answerText.ts';
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
export type RunAppResult = { status: number; headers: Record<string, string> } & RunFacts & PlainBody;

/** What is known of a run after its answer. */
interface RunFacts {
  /** Runhook's own id of the run, for use if the answer names no run id. */
  id: string;
  runId?: string;
  /** Why the requested webhook will not come. */
  notDelivered?: string;
}

export interface SenderParts {
  projects: Pick<Projects, 'isTransient' | 'noteAnswer'>;
  listener: Pick<Listener, 'noteRun'>;
  history: RunHistory;
  /** The stored answers of the runs. */
  answers: AnswerStore;
  transport: Transport;
  userAgent: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Sends calls, keeps their answers while they arrive, and tells the history and the listener of both. */
export class Sender {
  readonly #parts: SenderParts;

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** @param changed called whenever more of the answer has arrived */
  send(call: AllowedCall, changed?: () => void): SentCall {
    const { history, answers, projects, now } = this.#parts;
    const { input, kept, hold, access } = call;
    const run = history.begin(input, now(), kept);
    const addresses = toldAddresses({ ...call, proxyUrl: access.service.proxyUrl });
    const record = { ...addresses, isSandbox: projects.isTransient(input.projectId) };
    const arriving = new ArrivingAnswer({ run, store: answers, hold }, record);
    this.#note(run, { kind: 'awaited' });
    const answered = this.#answered(call, run, arriving, changed).finally(() => arriving.letGo());
    return { ...call, run, arriving, answered };
  }

  /** Reads the answer to its end, and gathers it on the way. */
  async #answered(
    call: AllowedCall,
    run: Run,
    arriving: ArrivingAnswer,
    changed?: () => void,
  ): Promise<RunAppResult> {
    const { history, transport, userAgent, projects } = this.#parts;
    const { input, url, secret, access, hold, signal } = call;
    const { method, headers: sent, body } = input;
    const client = new RunClient({ transport, userAgent, token: access.token });
    let gathered: GatheredBody | undefined;
    let head: RunAnswer;
    try {
      head = await client.run({ url, method, headers: sent, body, secret, most: hold }, signal);
      history.answering(run, this.#since(run));
      gathered = arriving.begin({ status: head.status, headers: head.headers, afterMs: this.#since(run) });
      for await (const piece of head.body) {
        await gathered.push(piece);
        this.#identify(run, gathered.runId);
        changed?.();
      }
    } catch (error) {
      this.#failed(run, error, signal);
      gathered?.end();
      this.#identify(run, gathered?.runId);
      await arriving.end();
      throw error;
    }
    gathered.end();
    this.#identify(run, gathered.runId);
    const fingerprint = gathered.text === undefined ? undefined : answerFingerprint(gathered.text);
    this.#note(run, { kind: 'given', fingerprint });
    const { status, headers } = head;
    history.end(run, { kind: 'answered', status, durationMs: this.#since(run), bytes: gathered.bytes });
    if (refusedStatus(run) === 401) await projects.noteAnswer(input.projectId, access, 401);
    else if (isSuccess(status) || run.runId !== undefined) {
      await projects.noteAnswer(input.projectId, access, undefined);
    }
    await arriving.end();
    return { status, headers, ...resultBody(call, arriving, headers['content-type']), ...runFacts(run) };
  }

  #identify(run: Run, runId: string | undefined): void {
    if (runId === undefined || run.runId === runId) return;
    this.#parts.history.identify(run, runId);
    this.#note(run);
  }

  /** Tells the listener what is known of a run, and the history which deliveries of it have arrived before. */
  #note(run: Run, answer?: NotedRun['answer']): void {
    const { listener, history } = this.#parts;
    const { id, runId, startedAt, input } = run;
    if (input.webhook !== true && (runId === undefined || answer !== undefined)) return;
    const noted = { id, appName: input.appName, startedAt };
    void listener
      .noteRun({ ...noted, ...(runId !== undefined && { runId }), ...(answer && { answer }) })
      .then((arrived) => history.arrivedBefore(run, arrived));
  }

  #failed(run: Run, error: unknown, signal?: AbortSignal): void {
    const durationMs = this.#since(run);
    this.#note(run, { kind: 'missing' });
    this.#parts.history.end(
      run,
      signal?.aborted === true
        ? { kind: 'cancelled', durationMs }
        : {
            kind: 'failed',
            reason: failureText(error),
            durationMs,
            ...(error instanceof BrokenOffError && { bytes: error.bytes }),
          },
    );
  }

  #since(run: Run): number {
    return this.#parts.now() - run.startedAt;
  }
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
