import * as vscode from 'vscode';
import type { SunkBody } from '../../../client/bodySink.ts';
import type { KeptAnswer } from '../../../model/runs/keptAnswer.ts';
import { runAnswerText } from '../../../model/runs/runAnswerText.ts';
import { bytesText } from '../../../model/text/bytesText.ts';
import { durationText } from '../../../model/text/durationText.ts';
import { prettyJson } from '../../../model/json/jsonText.ts';
import { needsToken } from '../../../model/runs/refusedRun.ts';
import type { Run } from '../../../model/runs/run.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { t } from '../../../model/text/l10n.ts';
import { commandIds } from '../../ids.ts';
import type { AnswerContent } from './answerDocuments.ts';

/** How long, in milliseconds, a delivery may take before a hint is shown what to check. */
const hintAfterMs = 60_000;

/** A run, and how far its answer has come. */
export interface ShownAnswer extends KeptAnswer {
  run: Run;
  waitingFor: 'answer' | 'delivery' | 'nothing';
  /** Since it waits for that. */
  elapsedMs: number;
}

/** What the document of a run shows. */
export function answerContent(shown: ShownAnswer): AnswerContent {
  const { run, url, results, head, body, waitingFor, elapsedMs } = shown;
  const late = waitingFor === 'delivery' && elapsedMs >= hintAfterMs;
  const text = runAnswerText({
    ...run,
    ...{ url, results },
    method: run.input.method,
    ...(head && { head }),
    ...(body && { body }),
    ...(late && { hints: hints() }),
  });
  return { text, lenses: lenses(shown) };
}

/** @param complete JSON is laid out once it is complete */
export function shownBody(body: SunkBody, complete: boolean): Pick<ShownAnswer, 'body' | 'file'> {
  const { bytes } = body;
  switch (body.kind) {
    case 'text':
      return { body: { bytes, text: (complete ? prettyJson(body.text) : undefined) ?? body.text } };
    case 'long': {
      const note = t('The beginning. The whole body is in {0}', body.file);
      return { body: { bytes, text: body.text, note }, file: body.file };
    }
    case 'binary': {
      const note = t('Binary, {0}, saved to {1}', bytesText(bytes), body.file);
      return { body: { bytes, text: '', note }, file: body.file };
    }
  }
}

/** The links at the top: what can be done with the run as it stands. */
function lenses({ run, waitingFor, elapsedMs, file, isSandbox }: ShownAnswer): vscode.Command[] {
  const { id, input, runId, delivery } = run;
  const elapsed = durationText(elapsedMs);
  const found: vscode.Command[] = [];
  const add = (command: string, title: string, given: unknown = { id }): void => {
    found.push({ command, title, arguments: [given] });
  };
  if (waitingFor === 'answer') add(commandIds.cancelRun, `$(stop-circle) ${t('Cancel')} · ${elapsed}`);
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
  if (file !== undefined) add('revealFileInOS', t('Show File'), vscode.Uri.file(file));
  if (isSandbox && input.webhook !== false && runId !== undefined) {
    add(commandIds.showWebhookAttempts, t('Webhook Attempts'), { runId });
  }
  if (waitingFor !== 'answer') {
    add(commandIds.runAgain, `$(debug-restart) ${t('Run Again')}`);
    if (!needsToken(run)) add(commandIds.runManyTimes, t('Run N Times…'));
    add(commandIds.copyRunAs, `$(copy) ${t('Copy as…')}`);
  }
  return found;
}

function hints(): string[] {
  return [
    t('Can the address of the webhook be reached from outside? Run "Runhook: Check Public URL" to find out.'),
    t('Is the app still running? The delivery is sent once its result is ready.'),
    t('Did a delivery arrive without this run id? The view Deliveries lists it.'),
    t('The service tries 3 times and then only logs the failure: run again once the address answers.'),
  ];
}
