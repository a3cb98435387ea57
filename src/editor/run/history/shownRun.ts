import * as vscode from 'vscode';
import { jsonOrText } from '../../../client/answerBody.ts';
import { BodySink, type SunkBody } from '../../../client/bodySink.ts';
import type { Clock } from '../../../model/processes/clock.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { AnswerDocuments } from '../answers/answerDocuments.ts';
import type { AnswerFiles } from '../../../client/answers/answerFiles.ts';
import type { WaitingFor } from '../answers/answerLenses.ts';
import { AnswerScreen } from '../answers/answerScreen.ts';
import type { RunAppResult } from '../runApp.ts';
import type { RunHistory } from './runHistory.ts';
import type { PreparedRun, Runner, SentRun } from '../runner.ts';

/** A delivery that has not come by then, in milliseconds, is not waited for any longer. */
const giveUpAfterMs = 15 * 60_000;
const tickMs = 1000;

export interface ShownRunParts {
  runner: Runner;
  history: RunHistory;
  documents: AnswerDocuments;
  files: AnswerFiles;
  clock: Clock;
  /** Whether the runs of a project are the sandbox's. */
  isSandbox: (projectId: string) => boolean;
}

/** One run, with its answer shown as it comes, until its delivery has arrived. */
export class ShownRun {
  readonly #parts: ShownRunParts;
  readonly #prepared: PreparedRun;
  readonly #abort = new AbortController();
  readonly #sent: SentRun;
  readonly #screen: AnswerScreen;
  #stopped = false;

  /** The whole answer. Rejects with the DeclinedError of a cancelled run, or with why no answer came. */
  readonly answered: Promise<RunAppResult>;
  /** Nothing more is waited for. Rejects only where the answer could not be shown. */
  readonly ended: Promise<void>;

  /** Sends the run and shows it. */
  constructor(prepared: PreparedRun, parts: ShownRunParts) {
    this.#parts = parts;
    this.#prepared = prepared;
    this.#sent = parts.runner.send(prepared, this.#abort.signal);
    const isSandbox = parts.isSandbox(prepared.input.projectId);
    this.#screen = new AnswerScreen(parts.documents, prepared, this.#sent.run, isSandbox);
    this.answered = this.#read();
    this.ended = this.#show();
  }

  get id(): string {
    return this.#sent.run.id;
  }

  /** Ends the answer, or the wait for the delivery. */
  cancel(): void {
    this.#abort.abort();
  }

  async #read(): Promise<RunAppResult> {
    try {
      const { status, headers, body } = await this.#sent.answer;
      this.#screen.setHead({ status, headers, afterMs: this.#elapsed() });
      const sunk = await this.#readBody(body, headers['content-type'] ?? '');
      const { runId } = this.#sent.run;
      const told =
        sunk.kind === 'binary' ? { body: sunk.file } : jsonOrText(sunk.text, headers['content-type']);
      return { status, headers, ...told, ...(runId !== undefined && { runId }) };
    } catch (error) {
      if (this.#abort.signal.aborted) throw new DeclinedError(t('The run was cancelled.'));
      throw error;
    }
  }

  async #readBody(body: AsyncIterable<Uint8Array>, contentType: string): Promise<SunkBody> {
    const sink = new BodySink(contentType, () => this.#parts.files.path(this.id, contentType));
    try {
      for await (const chunk of body) {
        await sink.push(chunk);
        this.#screen.setBody(sink.body, false);
        this.#update();
      }
    } finally {
      this.#screen.setBody(await sink.end(), true);
      this.#update();
    }
    return sink.body;
  }

  async #show(): Promise<void> {
    const changes = this.#parts.history.onDidChange((run) => {
      if (run === this.#sent.run) this.#update();
    });
    const stopTicking = this.#tick();
    const title = t('Running {0}', plainText(this.#prepared.input.appName));
    try {
      await Promise.all([
        this.#screen.open(),
        vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async (progress) => {
          // Whoever awaits the answer is told why there is none.
          await this.answered.catch(() => undefined);
          progress.report({ message: t('waiting for the delivery') });
          await this.#delivered();
        }),
      ]);
    } finally {
      stopTicking();
      changes.dispose();
      this.#stopped = true;
      this.#update();
    }
  }

  /** Shows how long it has taken, now and again; returns what ends that. */
  #tick(): () => void {
    let cancel = (): void => undefined;
    const tick = (): void => {
      this.#update();
      cancel = this.#parts.clock.after(tickMs, tick);
    };
    tick();
    return () => cancel();
  }

  /** Resolves when the delivery is there, or can no longer be expected. */
  async #delivered(): Promise<void> {
    if (this.#waitingFor() !== 'delivery') return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        change.dispose();
        stopWaiting();
        resolve();
      };
      const change = this.#parts.history.onDidChange(() => {
        if (this.#waitingFor() !== 'delivery') done();
      });
      const stopWaiting = this.#parts.clock.after(giveUpAfterMs, done);
      this.#abort.signal.addEventListener('abort', done, { once: true });
    });
  }

  #waitingFor(): WaitingFor {
    const { outcome, delivery } = this.#sent.run;
    if (outcome.kind === 'running') return 'answer';
    const expected = outcome.kind === 'answered' && this.#prepared.input.webhook === true;
    const stopped = this.#stopped || this.#abort.signal.aborted;
    return expected && delivery === undefined && !stopped ? 'delivery' : 'nothing';
  }

  /** Since the run began, in milliseconds. */
  #elapsed(): number {
    return this.#parts.clock.now() - this.#sent.run.startedAt;
  }

  #update(): void {
    const { outcome } = this.#sent.run;
    const waitingFor = this.#waitingFor();
    const before = waitingFor === 'delivery' && outcome.kind === 'answered' ? outcome.durationMs : 0;
    this.#screen.update(waitingFor, this.#elapsed() - before);
  }
}
