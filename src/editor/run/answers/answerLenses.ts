import * as vscode from 'vscode';
import type { Run } from '../../../model/runs/run.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { t } from '../../../model/text/l10n.ts';
import { commandIds } from '../../ids.ts';

/** What a run that is shown still waits for. */
export type WaitingFor = 'answer' | 'delivery' | 'nothing';

/** The links at the top of an answer: what can be done with the run as it stands. */
export function answerLenses(
  run: Run,
  waitingFor: WaitingFor,
  elapsed: string,
  file: string | undefined,
  isSandbox: boolean,
): vscode.Command[] {
  const argument = { id: run.id };
  const lenses: vscode.Command[] = [];
  const add = (command: string, title: string, given: unknown = argument): void => {
    lenses.push({ command, title, arguments: [given] });
  };
  if (waitingFor === 'answer') add(commandIds.cancelRun, `$(stop-circle) ${t('Cancel')} · ${elapsed}`);
  if (waitingFor === 'delivery') {
    const waiting = t('Waiting for the delivery, {0}. Stop waiting', elapsed);
    add(commandIds.cancelRun, `$(sync~spin) ${waiting}`);
  }
  if (run.delivery !== undefined) {
    const open = t('Open Delivery');
    const verdict = run.delivery.verdict;
    const icon = verdict === 'verified' ? '$(verified-filled)' : '$(warning)';
    add(commandIds.openDelivery, `${icon} ${verdictText(verdict)} · ${open}`, {
      id: run.delivery.id,
    });
  }
  if (file !== undefined) add('revealFileInOS', t('Show File'), vscode.Uri.file(file));
  if (isSandbox && run.input.webhook !== false && run.runId !== undefined) {
    add(commandIds.showWebhookAttempts, t('Webhook Attempts'), { runId: run.runId });
  }
  if (waitingFor !== 'answer') add(commandIds.runAgain, `$(debug-restart) ${t('Run Again')}`);
  return lenses;
}
