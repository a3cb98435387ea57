import * as vscode from 'vscode';
import type { SunkBody } from '../../../client/bodySink.ts';
import { type AnswerView, runAnswerText } from '../../../model/runs/runAnswerText.ts';
import { bytesText } from '../../../model/text/bytesText.ts';
import { durationText } from '../../../model/text/durationText.ts';
import { prettyJson } from '../../../model/json/jsonText.ts';
import type { Run } from '../../../model/runs/run.ts';
import { t } from '../../../model/text/l10n.ts';
import type { AnswerDocuments } from './answerDocuments.ts';
import { answerLenses, type WaitingFor } from './answerLenses.ts';
import type { PreparedRun } from '../runner.ts';

/** How long, in milliseconds, a delivery may take before a hint is shown what to check. */
const hintAfterMs = 60_000;

/** The document that shows one run. */
export class AnswerScreen {
  readonly #documents: AnswerDocuments;
  readonly #prepared: PreparedRun;
  readonly #run: Run;
  readonly #uri: vscode.Uri;
  readonly #isSandbox: boolean;
  #head: AnswerView['head'];
  #body: AnswerView['body'];
  #file: string | undefined;

  /** @param isSandbox whether the sandbox ran it, which tells how its webhook fared */
  constructor(documents: AnswerDocuments, prepared: PreparedRun, run: Run, isSandbox: boolean) {
    this.#isSandbox = isSandbox;
    this.#documents = documents;
    this.#prepared = prepared;
    this.#run = run;
    const time = new Date(run.startedAt).toTimeString().slice(0, 8);
    this.#uri = documents.uri(run.id, `${run.input.appName} ${time}`);
  }

  /** Opens the document beside the payload, which keeps the focus. */
  async open(): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.#uri);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  setHead(head: NonNullable<AnswerView['head']>): void {
    this.#head = head;
  }

  /** @param complete JSON is laid out once it is complete */
  setBody(body: SunkBody, complete: boolean): void {
    this.#body = shownBody(body, complete);
    this.#file = body.kind === 'text' ? undefined : body.file;
  }

  /** @param elapsedMs since it waits for that */
  update(waitingFor: WaitingFor, elapsedMs: number): void {
    const { input, written, url } = this.#prepared;
    const { outcome, runId, delivery } = this.#run;
    const late = waitingFor === 'delivery' && elapsedMs >= hintAfterMs;
    const view: AnswerView = {
      method: input.method,
      url: written.href,
      results: url.resultAddresses.map(({ href }) => href),
      outcome,
      ...(this.#head && { head: this.#head }),
      ...(runId !== undefined && { runId }),
      ...(delivery && { delivery }),
      ...(late && { hints: hints() }),
      ...(this.#body && { body: this.#body }),
    };
    const lenses = answerLenses(this.#run, waitingFor, durationText(elapsedMs), this.#file, this.#isSandbox);
    this.#documents.set(this.#uri, { text: runAnswerText(view), lenses });
  }
}

function shownBody(body: SunkBody, complete: boolean): NonNullable<AnswerView['body']> {
  const { bytes } = body;
  switch (body.kind) {
    case 'text':
      return { bytes, text: (complete ? prettyJson(body.text) : undefined) ?? body.text };
    case 'long':
      return {
        bytes,
        text: body.text,
        note: t('The beginning. The whole body is in {0}', body.file),
      };
    case 'binary':
      return {
        bytes,
        text: '',
        note: t('Binary, {0}, saved to {1}', bytesText(bytes), body.file),
      };
  }
}

function hints(): string[] {
  return [
    t('Can the address of the webhook be reached from outside? Run "Runhook: Check Public URL" to find out.'),
    t('Is the app still running? The delivery is sent once its result is ready.'),
    t('Did a delivery arrive without this run id? The view Deliveries lists it.'),
    t('The service tries 3 times and then only logs the failure: run again once the address answers.'),
  ];
}
