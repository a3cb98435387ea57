import * as vscode from 'vscode';
import { answerStatusText } from '../../../model/deliveries/deliveryLine.ts';
import type { DeliverySummary, Verdict } from '../../../model/deliveries/delivery.ts';
import type { DeliveryGroup } from '../../../model/deliveries/shownDeliveries.ts';
import { durationText } from '../../../model/text/durationText.ts';
import {
  forwardText,
  type Handed,
  isTaken,
  missingAnswerText,
  passedOnText,
} from '../../../model/deliveries/forwardText.ts';
import { repeatsText } from '../../../model/deliveries/repeatsText.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { verdictText } from '../../../model/deliveries/verdictText.ts';
import { commandIds } from '../../ids.ts';
import { localeFormat } from '../../localeFormat.ts';
import { t } from '../../../model/text/l10n.ts';

const icons: Record<Verdict, vscode.ThemeIcon> = {
  verified: icon('pass', 'charts.green'),
  unsigned: icon('circle-large-outline', 'descriptionForeground'),
  mismatch: icon('error', 'list.errorForeground'),
  malformed: icon('error', 'list.errorForeground'),
  stale: icon('history', 'list.warningForeground'),
  'no-secret': icon('key', 'list.warningForeground'),
};

function icon(id: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
}

const timeFormat = localeFormat((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
const dateFormat = localeFormat(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
);

/** The time of day at which a delivery arrived, in the user's locale. */
export function timeOf({ receivedAt }: Pick<DeliverySummary, 'receivedAt'>): string {
  return timeFormat().format(new Date(receivedAt));
}

/** What names a delivery for a person: its app and run, as far as they are known. */
export function titleOf({ appName, runId, path }: DeliverySummary): string {
  const parts = [appName, runId].flatMap((part) => part ?? []);
  return plainText(parts.length > 0 ? parts.join('  ') : path);
}

/** The title in a row: the id of a run is cut as in the output, so that verdict and time are in sight beside it. */
function rowTitle({ runId, ...delivery }: DeliverySummary): string {
  if (runId === undefined) return titleOf(delivery);
  return titleOf({ ...delivery, runId: runId.length > 14 ? `${runId.slice(0, 13)}…` : runId });
}

/** The row of a delivery. */
export function deliveryItem(
  { first: delivery, repeats }: DeliveryGroup,
  isRepeat: boolean,
): vscode.TreeItem {
  const verdict = verdictText(delivery.verdict);
  const item = new vscode.TreeItem(
    rowTitle(delivery),
    repeats.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  const words = [
    verdict,
    timeOf(delivery),
    isRepeat ? t('repeat') : undefined,
    repeats.length > 0 ? repeatsText(repeats.length) : undefined,
    delivery.verdict === 'verified' ? undefined : delivery.reason,
    delivery.forward && outcomeText({ ...delivery, forward: delivery.forward }),
  ].filter((word) => word !== undefined);
  item.id = delivery.id;
  item.description = plainText(words.join(' · '), 200);
  item.iconPath = icons[delivery.verdict];
  item.tooltip = tooltip(delivery);
  item.contextValue = delivery.verdict === 'verified' ? 'delivery:verified' : 'delivery:refused';
  item.accessibilityInformation = { label: `${titleOf(delivery)}, ${plainText(words.join(', '), 300)}` };
  item.command = {
    command: commandIds.openDelivery,
    title: t('Open Delivery'),
    arguments: [{ id: delivery.id }],
  };
  return item;
}

/** What the local app made of it and what the service does then; of what it did not take, the start of its answer too. */
function outcomeText(handed: Handed): string {
  const { forward } = handed;
  const { status, durationMs, error = '', answer } = forward;
  const parts = [
    status === undefined
      ? t('→ your app {0}', missingAnswerText(error))
      : t('→ {0} in {1}', status, durationText(durationMs)),
    passedOnText(handed),
    isTaken(forward) ? undefined : answer && plainText(answer, 60),
  ];
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' · ');
}

/** Plain text: what a delivery says of itself must not be drawn as Markdown. */
function tooltip(delivery: DeliverySummary): string {
  const { reason, runId, requestId, forward } = delivery;
  const lines = [
    `${delivery.method} ${delivery.path}`,
    t('Received {0}', dateFormat().format(new Date(delivery.receivedAt))),
    reason && `${verdictText(delivery.verdict)}: ${reason}`,
    runId && t('Run id {0}', runId),
    requestId && t('Request id {0}', requestId),
    t('{0} bytes, answered {1}', delivery.bytes, answerStatusText(delivery.answered)),
    forward && forwardText({ ...delivery, forward }),
    forward?.answer && t('It answered: {0}', forward.answer),
  ];
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => plainText(String(line), 300))
    .join('\n');
}
