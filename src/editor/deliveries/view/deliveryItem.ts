import * as vscode from 'vscode';
import { commandIds } from '../../../contract/commands.ts';
import { answerStatusText } from '../../../deliveries/deliveryLine.ts';
import type { Attempt, Delivery, FailedAt, Forward } from '../../../contract/delivery.ts';
import { attemptSentences, type Handed } from '../../../deliveries/forwardText.ts';
import { failurePlaceText } from '../../../deliveries/handlerFailure.ts';
import { attemptStart, isCancelled, lastTelling, previousAttempt } from '../../../deliveries/keptDelivery.ts';
import {
  type Outcome,
  attemptKindText,
  attemptWord,
  anywayText,
  handlerText,
  handlerToleranceSeconds,
  oldSignatureText,
  outcomeIcon,
  outcomeInHandler,
  outcomeOf,
  outcomeText,
  setByUserText,
  waitedText,
} from '../../../deliveries/outcomeText.ts';
import { madeHereText, repeatsText, verdictText } from '../../../deliveries/verdictText.ts';
import { ageText, durationText, timeOfDay } from '../../../shared/text/durationText.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { config } from '../../kit/config.ts';
import { joined, node, type Node, themeIcon } from '../../kit/tree.ts';
import { momentText } from '../../kit/localeFormat.ts';
import { capitalized, sentence, sentences } from '../../../shared/text/sentences.ts';
import { t } from '../../../shared/text/l10n.ts';

/** The time of day of an ISO timestamp. */
export function timeText(iso: string): string {
  return timeOfDay(new Date(iso));
}

/** The title of a delivery: its app if that is known, else its run or its path. */
export function titleOf({ appName, runId, path }: Delivery): string {
  return plainText(appName ?? runId ?? path);
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

/**
 * The row of a delivery: its outcome as an icon and in words, the reason, the age. Ids and addresses are in the tooltip.
 * @param repeats the latest one that the handler got tells the outcome
 * @param now Unix milliseconds
 */
export function deliveryRow(
  delivery: Delivery,
  repeats: readonly Delivery[],
  isRepeat: boolean,
  now: number,
): DeliveryNode {
  const { id, verdict } = delivery;
  const attempts = attemptsOf(delivery);
  const state = withLatest(delivery, repeats);
  const { forward } = state;
  const outcome = outcomeOf(state);
  const tolerance = handlerToleranceSeconds(config.timestampToleranceSeconds());
  const label = titleOf(delivery);
  const repeated = repeats.length > 0 && repeatsText(repeats.length);
  const sentAgain =
    forward === undefined || !('kind' in forward) || forward.kind === 'forward'
      ? undefined
      : attemptKindText(forward.kind);
  const age = Math.max(0, now - Date.parse(state.waitingSince ?? delivery.receivedAt));
  const ofHandler = anywayText(state);
  // What was done last stands first: the end of a row is what is cut off.
  const said = ofHandler === undefined ? outcomeText(state, tolerance, true) : outcomeInHandler(state, true);
  // It is the likely reason of the failure.
  const unsigned = verdict === 'unsigned' && outcome === 'failed' && verdictText(verdict);
  const more = [
    outcome !== 'setByUser' && outcomeOf(delivery) === 'setByUser' && setByUserText(delivery),
    isRepeat && t('repeat'),
  ];
  const { at = '', failedAt } = lastTelling(delivery.attempts ?? []) ?? {};
  const places = outcome === 'failed' && failedAt !== undefined ? [failureRow(id, at, failedAt)] : [];
  const kind = verdict === 'verified' ? 'delivery:verified' : 'delivery:refused';
  const { icon, color } = outcomeIcon(state);
  const shown = node({
    id,
    label,
    // The age of what is not over counts in seconds.
    description: joined(
      ' · ',
      plainText(said, 150),
      unsigned,
      repeated,
      waitedText(delivery, true),
      outcome === 'waiting' ? secondsText(age) : ageText(age),
      // Behind the age, which is that of the delivery. Below it each replay has its own time.
      ofHandler === undefined && sentAgain,
      ...more,
    ),
    icon: themeIcon(icon, color),
    tooltip: tooltip(delivery),
    context: joined(
      ' ',
      kind,
      outcome === 'failed' && 'failed',
      hasRun(delivery) && 'run',
      forward && 'handed',
    ),
    spoken: joined(
      ', ',
      label,
      plainText(outcomeText(state, tolerance), 300),
      unsigned,
      repeated,
      waitedText(delivery),
      ofHandler,
      sentAgain,
      timeText(delivery.receivedAt),
      ...more,
    ),
    argument: { id },
    children: () => [
      ...places,
      ...attempts.map((attempt, index) => attemptRow(id, attempt, index, attempts)).reverse(),
      ...repeats.map((repeat) => deliveryRow(repeat, [], true, now)),
    ],
    click: clickOf(outcome, forward),
    state:
      repeats.length > 0 || attempts.length > 0 || places.length > 0
        ? vscode.TreeItemCollapsibleState.Collapsed
        : vscode.TreeItemCollapsibleState.None,
  });
  return { ...shown, delivery };
}

/** What one looks for where it failed is what the handler responded, or why it did not. */
function clickOf(outcome: Outcome, forward: Forward | undefined): vscode.Command {
  if (outcome !== 'failed') return { command: commandIds.openDelivery, title: t('Open Delivery') };
  return forward?.status === undefined
    ? { command: commandIds.explainDelivery, title: t('Explain Delivery') }
    : { command: commandIds.openAppAnswer, title: t('Open Response') };
}

/** Whether a run of this editor led to it. */
export function hasRun({ sinceRunMs, joinedRun }: Delivery): boolean {
  return sinceRunMs !== undefined || joinedRun !== undefined;
}

/** The handler may have got a repeat of a delivery after the delivery itself. */
function withLatest(delivery: Delivery, repeats: readonly Delivery[]): Delivery {
  const all = [delivery, ...repeats];
  const latest =
    all.find(({ isForwarding }) => isForwarding === true) ??
    all.reduce((one, other) => (attemptedAt(other) > attemptedAt(one) ? other : one));
  const { forward: _forward, isForwarding: _isForwarding, waitingSince: _waitingSince, ...rest } = delivery;
  const { forward, isForwarding, waitingSince } = latest;
  return {
    ...rest,
    ...(forward && { forward }),
    ...(isForwarding && { isForwarding }),
    ...(waitingSince !== undefined && { waitingSince }),
  };
}

function attemptedAt({ forward }: Delivery): string {
  return forward !== undefined && 'at' in forward ? forward.at : '';
}

function secondsText(ms: number): string {
  return ms < 60_000 ? t('{0} s', Math.floor(ms / 1000)) : ageText(ms);
}

/** The row of an attempt, under its delivery. @param index its position among all of them, from 0 */
function attemptRow(id: string, attempt: Attempt, index: number, all: readonly Attempt[]): Node {
  const { at, to, answer, status, durationMs, failedAt } = attempt;
  const label =
    status === undefined ? handlerText(attempt, true) : t('{0} in {1}', status, durationText(durationMs));
  const time = timeText(attemptStart(attempt));
  const sentAgain = attempt.kind === 'forward' ? undefined : attemptWord(attempt);
  // The icon says that it was sent again, but not how.
  const isAsItCame = attempt.kind === 'replay';
  const place = failedAt && failurePlaceText(failedAt);
  const { color } = outcomeIcon({ verdict: 'verified', answered: 200, forward: attempt });
  return node({
    id: `${id} ${index}`,
    label,
    description: joined(' · ', isAsItCame ? undefined : sentAgain, place, time, isAsItCame && sentAgain),
    icon: themeIcon(
      sentAgain === undefined ? 'circle-filled' : 'debug-restart',
      isCancelled(attempt) ? undefined : color,
    ),
    tooltip: [plainText(to, 300), ...responseLines(answer)].join('\n'),
    context: joined(' ', 'attempt', previousAttempt(all, index) === undefined && 'first'),
    spoken: joined(', ', label, sentAgain, time),
    argument: { id, at },
    click: { command: commandIds.openAppAnswer, title: t('Open Response') },
  });
}

/** The row of the line at which the handler failed. */
function failureRow(id: string, at: string, { file, line, message, oneOf }: FailedAt): Node {
  const place = failurePlaceText({ file, line });
  return node({
    id: `${id} failed ${at}`,
    label: oneOf === undefined ? place : t('one of: {0}', place),
    description: plainText(message, 150),
    icon: themeIcon('go-to-file'),
    tooltip: plainText(`${file}:${line}\n${message}`, 500),
    context: 'failure',
    spoken: joined(', ', place, plainText(message, 150)),
    argument: { id, at },
    click: { command: commandIds.openFailure, title: t('Open the Line That Failed') },
  });
}

/** The tooltip as plain text: content of a delivery must not be rendered as Markdown. */
function tooltip(delivery: Delivery): string {
  const { reason, runId, requestId, forward } = delivery;
  const lines = [
    `${delivery.method} ${delivery.path}`,
    t('Received {0}', momentText(Date.parse(delivery.receivedAt))),
    waitedText(delivery),
    delivery.madeHere && madeHereText(),
    reason && `${verdictText(delivery.verdict)}: ${reason}`,
    runId && t('Run id {0}', runId),
    requestId && t('Request id {0}', requestId),
    t('{0} bytes, the listener returned {1}', delivery.bytes, answerStatusText(delivery.answered)),
    forward && lastAttemptText({ ...delivery, forward }),
  ];
  const said = lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => plainText(String(line), 300));
  const [first, ...more] = responseLines(forward?.answer);
  return [...said, ...(first === undefined ? [] : [t('Response: {0}', first), ...more])].join('\n');
}

/** The first lines of a response, such as those of a stack. */
function responseLines(answer = ''): string[] {
  const lines = answer.split('\n').map((line) => plainText(line, 200));
  return lines.filter((line) => line !== '').slice(0, 6);
}

/** The outcome of the last attempt that tells of the delivery, and why, with its time if attempts have their own rows. */
function lastAttemptText(delivery: Delivery & Handed): string {
  const why = oldSignatureText(delivery, handlerToleranceSeconds(config.timestampToleranceSeconds()));
  const text = sentences(attemptSentences(delivery), why && sentence(capitalized(why)));
  const last = lastTelling(attemptsOf(delivery));
  return last === undefined ? text : `${timeText(attemptStart(last))} · ${text}`;
}
