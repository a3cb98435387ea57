import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { answerStatusText } from '../../../deliveries/deliveryLine.ts';
import type { Attempt, Delivery } from '../../../contract/delivery.ts';
import { durationText } from '../../../shared/text/durationText.ts';
import { forwardText, type Handed, isTaken, passedOnText } from '../../../deliveries/forwardText.ts';
import {
  attemptText,
  handlerToleranceSeconds,
  type Mark,
  markOf,
  oldSignatureText,
  otherOutcomeText,
  outcomeText,
} from '../../../deliveries/outcomeText.ts';
import { repeatsText, verdictText } from '../../../deliveries/verdictText.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { config } from '../../kit/config.ts';
import { joined, node, type Node, themeIcon } from '../../kit/tree.ts';
import { localeFormat } from '../../kit/localeFormat.ts';
import { t } from '../../../shared/text/l10n.ts';

const icons: Record<Mark, vscode.ThemeIcon> = {
  verified: themeIcon('pass', 'charts.green'),
  unsigned: themeIcon('circle-large-outline', 'descriptionForeground'),
  mismatch: themeIcon('error', 'list.errorForeground'),
  malformed: themeIcon('error', 'list.errorForeground'),
  stale: themeIcon('history', 'list.warningForeground'),
  'no-secret': themeIcon('key', 'list.warningForeground'),
  refusedByApp: themeIcon('warning', 'list.warningForeground'),
};

const timeFormat = localeFormat((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }));
const dateFormat = localeFormat(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
);

/** The time of day of an ISO timestamp, in the user's locale. */
export function timeText(iso: string): string {
  return timeFormat().format(new Date(iso));
}

/** The title of a delivery: its app and run as far as they are known, else its path. */
export function titleOf({ appName, runId, path }: Delivery): string {
  const parts = [appName, runId].flatMap((part) => part ?? []);
  return plainText(parts.length > 0 ? parts.join('  ') : path);
}

/** A short name that tells the tabs of deliveries apart: `echo 2:13:22`. */
export function nameOf({ appName, runId, path, receivedAt }: Delivery): string {
  return `${plainText(appName ?? runId ?? path, 40)} ${timeText(receivedAt)}`;
}

/** The attempts that get their own row. A single forward gets none: the row of the delivery shows all of it. */
export function attemptsOf({ attempts = [] }: Delivery): readonly Attempt[] {
  const [only] = attempts;
  return attempts.length === 1 && only?.kind === 'forward' ? [] : attempts;
}

/** A row of the *Deliveries* view. Only that of a delivery, or of a repeat of it, has a delivery. */
export interface DeliveryNode extends Node {
  readonly delivery?: Delivery;
}

/** The row of a delivery. The outcome comes first, since a narrow view cuts off the end. */
export function deliveryRow(
  delivery: Delivery,
  repeats: readonly Delivery[],
  isRepeat: boolean,
): DeliveryNode {
  const { id, appName, runId, verdict, forward } = delivery;
  const attempts = attemptsOf(delivery);
  // The reason why an app gave no answer may be long, and the text that tells rows apart comes after it.
  const outcome = [plainText(outcomeText(delivery), 80), timeText(delivery.receivedAt)];
  const more = [
    otherOutcomeText(delivery),
    isRepeat ? t('repeat') : undefined,
    repeats.length > 0 ? repeatsText(repeats.length) : undefined,
    verdict === 'verified' ? undefined : delivery.reason,
    oldSignatureText(delivery, handlerToleranceSeconds(config.timestampToleranceSeconds())),
    ...(forward ? handedWords({ ...delivery, forward }) : []),
  ];
  const run = appName === undefined ? undefined : runId;
  const kind = verdict === 'verified' ? 'delivery:verified' : 'delivery:refused';
  const shown = node({
    id,
    label: appName === undefined ? titleOf(delivery) : plainText(appName),
    description: plainText(joined(' · ', ...outcome, run, ...more), 250),
    icon: icons[markOf(delivery)],
    tooltip: tooltip(delivery),
    context: forward === undefined ? kind : `${kind} handed`,
    spoken: `${titleOf(delivery)}, ${plainText(joined(', ', ...outcome, ...more), 300)}`,
    argument: { id },
    children: () => [
      ...attempts.map((attempt, index) => attemptRow(id, attempt, index)).reverse(),
      ...repeats.map((repeat) => deliveryRow(repeat, [], true)),
    ],
    // What the app answered is what one looks for where it failed.
    click:
      markOf(delivery) === 'refusedByApp'
        ? { command: commandIds.openAppAnswer, title: t("Open App's Answer") }
        : { command: commandIds.openDelivery, title: t('Open Delivery') },
    state:
      repeats.length > 0 || attempts.length > 0
        ? vscode.TreeItemCollapsibleState.Collapsed
        : vscode.TreeItemCollapsibleState.None,
  });
  return { ...shown, delivery };
}

/** The row of an attempt, under its delivery. @param index its position among them, from 0 */
function attemptRow(id: string, attempt: Attempt, index: number): Node {
  const { at, kind, to, answer } = attempt;
  const mark = kind === 'forward' ? '●' : '↺';
  const words = [
    kind === 'signedAnew' ? t('signed again') : undefined,
    kind === 'edited' ? t('edited') : undefined,
    URL.parse(to)?.host ?? to,
    answer,
  ].filter((word) => word !== undefined);
  return node({
    id: `${id} ${index}`,
    label: `${mark} ${timeText(at)} ${attemptText(attempt)}`,
    description: plainText(words.join(' · '), 100),
    tooltip: plainText([to, answer].filter(Boolean).join('\n'), 300),
    context: 'attempt',
    argument: { id, at },
    click: { command: commandIds.openAppAnswer, title: t("Open App's Answer") },
  });
}

/** How long the local app took, what the service does then, and for a refused delivery the start of its answer. */
function handedWords(handed: Handed): (string | undefined)[] {
  const { forward } = handed;
  return [
    forward.status === undefined ? undefined : durationText(forward.durationMs),
    passedOnText(handed),
    isTaken(forward) ? undefined : forward.answer && plainText(forward.answer, 60),
  ];
}

/** The tooltip as plain text: content of a delivery must not be rendered as Markdown. */
function tooltip(delivery: Delivery): string {
  const { reason, runId, requestId, forward } = delivery;
  const lines = [
    `${delivery.method} ${delivery.path}`,
    t('Received {0}', dateFormat().format(new Date(delivery.receivedAt))),
    reason && `${verdictText(delivery.verdict)}: ${reason}`,
    runId && t('Run id {0}', runId),
    requestId && t('Request id {0}', requestId),
    t('{0} bytes, answered {1}', delivery.bytes, answerStatusText(delivery.answered)),
    forward && lastAttemptText({ ...delivery, forward }),
    forward?.answer && t('It answered: {0}', forward.answer),
  ];
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => plainText(String(line), 300))
    .join('\n');
}

/** The outcome of the last attempt, with its time if attempts have their own rows. */
function lastAttemptText(delivery: Delivery & Handed): string {
  const text = forwardText(delivery);
  const last = attemptsOf(delivery).at(-1);
  return last === undefined ? text : `${timeText(last.at)} ${text}`;
}
