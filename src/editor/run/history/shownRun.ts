import * as vscode from 'vscode';
import { jsonOrText } from '../../../client/answerBody.ts';
import { BodySink, type SunkBody } from '../../../client/bodySink.ts';
import type { Clock } from '../../../model/processes/clock.ts';
import type { KeptAnswer } from '../../../model/runs/keptAnswer.ts';
import { isGivenUp } from '../../../model/runs/refusedRun.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { runTitle } from '../../../model/runs/run.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { AnswerDocuments } from '../answers/answerDocuments.ts';
import type { AnswerFiles } from '../../../client/answers/answerFiles.ts';
import type { KeptAnswers } from '../../../client/answers/keptAnswers.ts';
import { answerContent, shownBody, type ShownAnswer } from '../answers/answerContent.ts';
import { type RunAppResult, toldOf } from '../../../client/answers/runAppResult.ts';
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
  kept: KeptAnswers;
  clock: Clock;
  /** Whether the runs of a project are the sandbox's. */
  isSandbox: (projectId: string) => boolean;
}

/** Stands between an answer's body and what is shown of it. */
export type ReadAlong = (body: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** One run, with its answer shown as it comes, until its delivery has arrived. */
export class ShownRun {
  readonly #parts: ShownRunParts;
  readonly #prepared: PreparedRun;
  readonly #readAlong: ReadAlong;
  readonly #abort = new AbortController();
  readonly #sent: SentRun;
  readonly #uri: vscode.Uri;
  #answer: KeptAnswer;
  #stopped = false;

  /** The whole answer. Rejects with the DeclinedError of a cancelled run, or with why no answer came. */
  readonly answered: Promise<RunAppResult>;
  /** Nothing more is waited for. Rejects only where the answer could not be shown. */
  readonly ended: Promise<void>;

  /** Sends the run and shows it. */
  constructor(prepared: PreparedRun, parts: ShownRunParts, readAlong: ReadAlong = (body) => body) {
    this.#parts = parts;
    this.#readAlong = readAlong;
    this.#prepared = prepared;
    this.#sent = parts.runner.send(prepared, this.#abort.signal);
    const { run } = this.#sent;
    this.#uri = parts.documents.uri(run.id, runTitle(run));
    this.#answer = {
      ...prepared.told,
      isSandbox: parts.isSandbox(prepared.input.projectId),
    };
    this.#came({});
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
      this.#came({ head: { status, headers, afterMs: this.#elapsed() } });
      const sunk = await this.#readBody(body, headers['content-type'] ?? '');
      const told =
        sunk.kind === 'binary' ? { body: sunk.file } : jsonOrText(sunk.text, headers['content-type']);
      return { status, headers, ...told, ...toldOf(this.#sent.run) };
    } catch (error) {
      if (this.#abort.signal.aborted) throw new DeclinedError(t('The run was cancelled.'));
      throw error;
    }
  }

  async #readBody(body: AsyncIterable<Uint8Array>, contentType: string): Promise<SunkBody> {
    const sink = new BodySink(contentType, () => this.#parts.files.path(this.id, contentType));
    try {
      for await (const chunk of this.#readAlong(body)) {
        await sink.push(chunk);
        this.#showBody(sink.body, false);
      }
    } finally {
      this.#showBody(await sink.end(), true);
    }
    return sink.body;
  }

  #showBody(body: SunkBody, complete: boolean): void {
    this.#came(shownBody(body, complete));
    this.#update();
  }

  #came(more: Partial<KeptAnswer>): void {
    this.#answer = { ...this.#answer, ...more };
    this.#parts.kept.keep(this.id, this.#answer);
  }

  async #show(): Promise<void> {
    const changes = this.#parts.history.onDidChange((run) => {
      if (run === this.#sent.run) this.#update();
    });
    const stopTicking = this.#tick();
    const title = t('Running {0}', plainText(this.#prepared.input.appName));
    try {
      await Promise.all([
        this.#open(),
        vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, async (progress) => {
          // Whoever awaits the answer is told why there is none.
          await this.answered.catch(() => undefined);
          progress.report({ message: t('waiting for the delivery') });
          await this.#delivered();
        }),
      ]);
    } finally {
      stopTicking();
      this.#stopped = true;
      this.#update();
      const { clock } = this.#parts;
      // An app may refuse a call by itself, and be delivered: that is shown when it comes.
      if (!isGivenUp(this.#sent.run)) changes.dispose();
      else clock.after(giveUpAfterMs, () => void changes.dispose());
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

  #waitingFor(): ShownAnswer['waitingFor'] {
    const { outcome, delivery } = this.#sent.run;
    if (outcome.kind === 'running') return 'answer';
    const expected = outcome.kind === 'answered' && this.#prepared.input.webhook === true;
    const stopped = this.#stopped || this.#abort.signal.aborted;
    const isOver = stopped || isGivenUp(this.#sent.run);
    return expected && delivery === undefined && !isOver ? 'delivery' : 'nothing';
  }

  /** Since the run began, in milliseconds. */
  #elapsed(): number {
    return this.#parts.clock.now() - this.#sent.run.startedAt;
  }

  #update(): void {
    const { run } = this.#sent;
    const waitingFor = this.#waitingFor();
    const before = waitingFor === 'delivery' && run.outcome.kind === 'answered' ? run.outcome.durationMs : 0;
    const elapsedMs = this.#elapsed() - before;
    const content = answerContent({ ...this.#answer, run, waitingFor, elapsedMs });
    this.#parts.documents.set(this.#uri, content);
  }
}
