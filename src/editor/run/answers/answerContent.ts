import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { shownBytes, type ShownAnswer, runAnswerText } from './answerText.ts';
import { bytesText } from '../../../model/text/bytesText.ts';
import { durationText } from '../../../model/text/durationText.ts';
import { needsToken, type Run } from '../../../model/runs/run.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { t } from '../../../model/text/l10n.ts';
import { clicked } from '../../commands.ts';
import type { AnswerContent } from './answerDocuments.ts';

/** How long a delivery may take before hints on what to check are shown, in milliseconds. */
const hintAfterMs = 60_000;

/** A run, and its answer so far. */
export interface AnswerState extends ShownAnswer {
  run: Run;
  waitingFor: 'answer' | 'delivery' | 'nothing';
  /** How long the run has been waiting for it, in milliseconds. */
  elapsedMs: number;
}

/** What the document of a run shows. */
export function answerContent(shown: AnswerState): AnswerContent {
  const { run, url, results, head, body, waitingFor, elapsedMs } = shown;
  const late = waitingFor === 'delivery' && elapsedMs >= hintAfterMs;
  const text = runAnswerText({
    ...run,
    ...{ url, results },
    method: run.input.method,
    ...(head && { head }),
    ...(body && { body: waitingFor === 'answer' && isLong(body) ? { text: body.text } : body }),
    ...(late && { hints: hints() }),
  });
  return { text, lenses: lenses(shown) };
}

/** The links at the top: the actions that fit the current state of the run. */
function lenses({ run, waitingFor, elapsedMs, body, file, isSandbox }: AnswerState): vscode.Command[] {
  const { id, input, runId, delivery } = run;
  const elapsed = durationText(elapsedMs);
  const found: vscode.Command[] = [];
  const add = (command: string, title: string, argument: object = { id }): void => {
    found.push({ command, title, arguments: clicked(argument) });
  };
  if (waitingFor === 'answer') {
    const received = isLong(body) ? ` · ${bytesText(body.bytes)}` : '';
    add(commandIds.cancelRun, `$(stop-circle) ${t('Cancel')} · ${elapsed}${received}`);
  }
  if (waitingFor === 'delivery') {
    const waiting = t('Waiting for the delivery, {0}. Stop waiting', elapsed);
    add(commandIds.cancelRun, `$(sync~spin) ${waiting}`);
  }
  if (needsToken(run)) {
    const { projectId } = input;
    add(commandIds.setToken, `$(key) ${t('Set Token')}`, { projectId });
  }
  if (delivery !== undefined) {
    const icon = delivery.verdict === 'verified' ? '$(verified-filled)' : '$(warning)';
    const title = `${icon} ${verdictText(delivery.verdict)} · ${t('Open Delivery')}`;
    add(commandIds.openDelivery, title, { id: delivery.id });
  }
  if (file !== undefined) {
    found.push({ command: 'revealFileInOS', title: t('Show File'), arguments: [vscode.Uri.file(file)] });
  }
  if (isSandbox && input.webhook !== false && runId !== undefined) {
    add(commandIds.showTimeline, t('Show Timeline'), { run: id });
  }
  if (waitingFor === 'answer') return found;
  add(commandIds.runAgain, `$(debug-restart) ${t('Run Again')}`);
  if (body !== undefined) add(commandIds.compareWithPreviousRun, t('Compare with Previous Run'));
  if (body !== undefined && body.bytes > 0) add(commandIds.saveAnswerAs, t('Save Answer As…'));
  add(commandIds.openPayloadAndAnswer, t('Payload'));
  add(commandIds.copyRunAs, `$(copy) ${t('Copy as…')}`);
  return found;
}

/** Whether a body is longer than the shown part. Only the link shows its progress: the text does not change. */
function isLong(body: AnswerState['body']): body is NonNullable<AnswerState['body']> {
  return body !== undefined && body.bytes > shownBytes;
}

function hints(): string[] {
  return [
    t('Can the address of the webhook be reached from outside? Run "Runhook: Check Public URL" to find out.'),
    t('Is the app still running? The delivery is sent once its result is ready.'),
    t('Did a delivery arrive without this run id? The view Deliveries lists it.'),
    t('The service tries 3 times and then only logs the failure: run again once the address answers.'),
  ];
}
