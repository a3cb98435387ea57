import * as vscode from 'vscode';
import { jsonOrText, plainBody, type PlainBody } from '../../../client/answerBody.ts';
import { readToEnd } from '../../../client/boundedBody.ts';
import { isBinary } from '../../../client/answers/bodyKind.ts';
import { shownBytes } from '../../../client/answers/shownAnswer.ts';
import type { Clock } from '../../../model/processes/clock.ts';
import { isExpected } from '../../../model/runs/refusedRun.ts';
import { t } from '../../../model/text/l10n.ts';
import { runTitle } from '../../../model/runs/run.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { AnswerDocuments } from '../answers/answerDocuments.ts';
import { answerContent, type AnswerState } from '../answers/answerContent.ts';
import { type RunAppResult, toldOf } from '../../../client/answers/runAppResult.ts';
import { type DeliveryWaitParts, hopeless } from './deliveryWait.ts';
import type { RunHistory } from './runHistory.ts';
import type { PreparedRun, Runner, SentRun } from '../runner.ts';

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
      return { status, headers, ...this.#resultBody(headers['content-type']), ...toldOf(run) };
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
    const canCome = isExpected(run) && hopeless(run, this.#parts.listener.state) === undefined;
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
