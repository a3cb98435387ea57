import * as vscode from 'vscode';
import { type PlainBody, jsonOrText, plainBody, isBinary, shownBytes } from '../answers/answerText.ts';
import { readToEnd } from '../../../client/boundedBody.ts';
import type { Clock } from '../../../model/processes/clock.ts';
import { isExpected, refusalText, type Run, runTitle } from '../../../model/runs/run.ts';
import { t } from '../../../model/text/l10n.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { AnswerDocuments } from '../answers/answerDocuments.ts';
import { type AnswerState, answerContent } from '../answers/answerContent.ts';
import { type RunAppResult, runFacts, type PreparedRun, type Runner, type SentRun } from '../runner.ts';
import type { RunHistory } from './runHistory.ts';
import type { Delivery } from '../../../model/deliveries/delivery.ts';
import type { DeliveryFilter } from '../../../model/deliveries/deliveryFilter.ts';
import type { DeliveryPage } from '../../../model/processes/listenerProtocol.ts';
import type { ListenerState } from '../../../model/processes/listenerState.ts';
import { brokenOffText } from '../../../model/text/brokenOffText.ts';
import { plainText } from '../../../model/text/plainText.ts';

/** How long to wait for a delivery, in milliseconds. */
const giveUpAfterMs = 15 * 60_000;
const tickMs = 1000;

export interface ShownRunParts {
  runner: Runner;
  history: RunHistory;
  documents: AnswerDocuments;
  /** The deliveries come to it. */
  listener: Pick<DeliveryWaitParts['listener'], 'state' | 'onDidChangeState'>;
  clock: Clock;
}

/** One run. Shows its answer as it arrives, until its delivery has arrived. */
export class ShownRun {
  readonly #parts: ShownRunParts;
  readonly #prepared: PreparedRun;
  readonly #abort = new AbortController();
  readonly #sent: SentRun;
  readonly #uri: vscode.Uri;
  #stopped = false;

  /** The whole answer. Rejects with a DeclinedError if the run is cancelled, or with why no answer came. */
  readonly answered: Promise<RunAppResult>;
  /** Resolves when nothing more is waited for. Rejects only if the answer could not be shown. */
  readonly ended: Promise<void>;

  /** Sends the run and shows it. */
  constructor(prepared: PreparedRun, parts: ShownRunParts) {
    this.#parts = parts;
    this.#prepared = prepared;
    this.#sent = parts.runner.send(prepared, this.#abort.signal);
    const { run } = this.#sent;
    this.#uri = parts.documents.uri(run.id, runTitle(run));
    this.answered = this.#read();
    this.ended = this.#show();
  }

  get id(): string {
    return this.#sent.run.id;
  }

  /** The app and the time of day. */
  get title(): string {
    return runTitle(this.#sent.run);
  }

  /** Cancels the answer, or the wait for the delivery. */
  cancel(): void {
    this.#abort.abort();
  }

  async #read(): Promise<RunAppResult> {
    const { answer, arriving, run } = this.#sent;
    try {
      const { status, headers, body } = await answer;
      await readToEnd(body, () => this.#update());
      return { status, headers, ...this.#resultBody(headers['content-type']), ...runFacts(run) };
    } catch (error) {
      if (this.#abort.signal.aborted) throw new DeclinedError(t('The run was cancelled.'));
      throw error;
    } finally {
      arriving.letGo();
      this.#update();
    }
  }

  /** The whole body if the caller asked to hold it, otherwise as much as is shown, or a binary body's file. */
  #resultBody(contentType: string | undefined): PlainBody {
    const { body, file } = this.#sent.arriving;
    const { beginning = new Uint8Array(), whole = beginning } = body ?? {};
    if (this.#prepared.hold !== undefined) return plainBody(whole, contentType);
    if (isBinary(contentType ?? '', beginning)) {
      return file === undefined ? plainBody(beginning, contentType) : { body: file };
    }
    return jsonOrText(new TextDecoder().decode(beginning.subarray(0, shownBytes)), contentType);
  }

  async #show(): Promise<void> {
    const changes = this.#parts.history.onDidChange((run) => {
      if (run === this.#sent.run) this.#update();
    });
    const stopTicking = this.#tick();
    // The error is reported to whoever awaits `answered`.
    const delivered = this.answered.catch(() => undefined).then(() => this.#delivered());
    try {
      await Promise.all([this.#open(), delivered]);
    } finally {
      stopTicking();
      this.#stopped = true;
      this.#update();
      const { outcome, delivery } = this.#sent.run;
      // A refusal or a failure may be the app's own, and still be delivered: show the delivery when it arrives.
      const mayCome = delivery === undefined && outcome.kind === 'answered' && !this.#abort.signal.aborted;
      if (mayCome) this.#parts.clock.after(giveUpAfterMs, () => void changes.dispose());
      else changes.dispose();
    }
  }

  /** Opens the document beside the payload, which keeps the focus. */
  async #open(): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  /** Updates the elapsed time every second. Returns a function that stops it. */
  #tick(): () => void {
    let cancel = (): void => undefined;
    const tick = (): void => {
      this.#update();
      cancel = this.#parts.clock.after(tickMs, tick);
    };
    tick();
    return () => cancel();
  }

  /** Resolves when the delivery has arrived, or is no longer expected. */
  async #delivered(): Promise<void> {
    if (this.waitingFor !== 'delivery') return;
    const { history, listener, clock } = this.#parts;
    const { run } = this.#sent;
    history.setAwaited(run, true);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        watched.dispose();
        stopWaiting();
        resolve();
      };
      const check = (): void => {
        if (this.waitingFor !== 'delivery') done();
      };
      const watched = vscode.Disposable.from(history.onDidChange(check), listener.onDidChangeState(check));
      const stopWaiting = clock.after(giveUpAfterMs, done);
      this.#abort.signal.addEventListener('abort', done, { once: true });
    });
    history.setAwaited(run, false);
  }

  get waitingFor(): AnswerState['waitingFor'] {
    const { run } = this.#sent;
    if (run.outcome.kind === 'running') return 'answer';
    const isOver = this.#stopped || this.#abort.signal.aborted;
    const canCome = isExpected(run) && whyItCannotArrive(run, this.#parts.listener.state) === undefined;
    return canCome && !isOver ? 'delivery' : 'nothing';
  }

  /** Time since the run began, in milliseconds. */
  #elapsed(): number {
    return this.#parts.clock.now() - this.#sent.run.startedAt;
  }

  /** Cheap: the content is built when the editor reads it, which is less often than pieces arrive. */
  #update(): void {
    this.#parts.documents.set(this.#uri, () => {
      const { run, arriving } = this.#sent;
      const waitingFor = this.waitingFor;
      const answerMs =
        waitingFor === 'delivery' && run.outcome.kind === 'answered' ? run.outcome.durationMs : 0;
      const elapsedMs = this.#elapsed() - answerMs;
      return answerContent({ ...arriving.shown, run, waitingFor, elapsedMs });
    });
  }
}

/** How many kept deliveries with the run's id are examined. */
const maxKept = 100;

/** What a wait observes. */
export interface DeliveryWaitParts {
  listener: {
    readonly state: ListenerState;
    readonly onDidChangeState: vscode.Event<ListenerState>;
    readonly onDidReceiveDelivery: vscode.Event<Delivery>;
    readonly onDidChangeDelivery: vscode.Event<Delivery>;
    page(filter: DeliveryFilter, limit: number): Promise<DeliveryPage>;
    get(id: string): Promise<Delivery>;
  };
  runs: { all(): Run[]; readonly onDidChange: vscode.Event<Run> };
  clock: Clock;
}

/** Why there is no delivery. The answer to a run uses the same property name. */
interface NotDelivered {
  notDelivered: string;
}

/**
 * Waits for the delivery of a run, until it has arrived or can no longer arrive.
 * @param runId the service's id of the run, or Runhook's own
 * @throws the signal's reason once it is aborted
 */
export async function waitForDelivery(
  parts: DeliveryWaitParts,
  runId: string,
  timeoutSeconds: number,
  signal: AbortSignal,
): Promise<Delivery | NotDelivered> {
  const wait = new DeliveryWait(parts, runId);
  const end = parts.clock.after(timeoutSeconds * 1000, () => wait.end(wait.lateText(timeoutSeconds)));
  const cancel = (): void => wait.fail(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    wait.look();
    return await wait.over;
  } finally {
    end();
    signal.removeEventListener('abort', cancel);
    wait.dispose();
  }
}

/** One wait. The first result settles it. */
class DeliveryWait {
  readonly #parts: DeliveryWaitParts;
  readonly #runId: string;
  readonly #over = Promise.withResolvers<Delivery | NotDelivered>();
  readonly #subscriptions: vscode.Disposable[];
  #keptLookup: Promise<void> | undefined;

  constructor(parts: DeliveryWaitParts, runId: string) {
    this.#parts = parts;
    this.#runId = runId;
    const { listener, runs } = parts;
    const arrived = (delivery: Delivery): void => {
      if (this.#isOf(delivery)) this.#over.resolve(delivery);
    };
    // Subscribes before the first look, so that nothing that arrives in between is missed.
    this.#subscriptions = [
      listener.onDidReceiveDelivery(arrived),
      listener.onDidChangeDelivery(arrived),
      listener.onDidChangeState(() => this.look()),
      runs.onDidChange((run) => {
        if (run === this.#run) this.look();
      }),
    ];
  }

  get over(): Promise<Delivery | NotDelivered> {
    return this.#over.promise;
  }

  end(notDelivered: string): void {
    this.#over.resolve({ notDelivered });
  }

  fail(reason: unknown): void {
    this.#over.reject(reason);
  }

  /** The message if no delivery has arrived within the given seconds. */
  lateText(seconds: number): string {
    const late = t(
      'No delivery of the run {0} has arrived within {1} seconds.',
      plainText(this.#runId),
      seconds,
    );
    const { bytes, announced } = this.#run?.brokenOff ?? {};
    return bytes === undefined ? late : `${late} ${t('One of it {0}.', brokenOffText(bytes, announced))}`;
  }

  /** Checks the kept deliveries, once, and then the current state of the run and the listener. */
  look(): void {
    this.#keptLookup ??= this.#lookAtKept();
    this.#keptLookup
      .then(async () => {
        const id = this.#run?.delivery?.id;
        if (id !== undefined) {
          this.#over.resolve(await this.#parts.listener.get(id));
          return;
        }
        const problem = whyItCannotArrive(this.#run, this.#parts.listener.state);
        if (problem !== undefined) this.end(problem);
      })
      .catch((error: unknown) => this.fail(error));
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  /** Looks for verified deliveries first: a forgery may name the same run. */
  async #lookAtKept(): Promise<void> {
    const { listener } = this.#parts;
    const run = this.#run?.runId ?? this.#runId;
    for (const verdict of [{ verdict: 'verified' as const }, {}]) {
      const { deliveries } = await listener.page({ ...verdict, run }, maxKept);
      const kept = deliveries.find((one) => this.#isOf(one));
      if (kept === undefined) continue;
      this.#over.resolve(await listener.get(kept.id));
      return;
    }
  }

  #isOf({ runId }: Pick<Delivery, 'runId'>): boolean {
    return runId !== undefined && (runId === this.#runId || runId === this.#run?.runId);
  }

  /** The run; undefined if this window did not make it. */
  get #run(): Run | undefined {
    return this.#parts.runs.all().find(({ id, runId }) => id === this.#runId || runId === this.#runId);
  }
}

/** Why no delivery of the run can arrive; undefined if one still may. */
function whyItCannotArrive(run: Run | undefined, state: ListenerState): string | undefined {
  const refused = run && refusalText(run);
  if (refused !== undefined) return refused;
  // The query may still name the listener.
  if (run?.input.webhook === false && !run.input.path.includes('?')) {
    return t('Not delivered: the run was made without a webhook.');
  }
  if (state.kind === 'stopped') return t('Not delivered: the listener is stopped.');
  return state.kind === 'failed' ? t('Not delivered: the listener failed. {0}', state.reason) : undefined;
}
