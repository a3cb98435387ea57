import { type Attempt, attemptErrors, type Delivery, type Forward } from '../contract/delivery.ts';
import type { Permission } from './destination.ts';
import { isEdited } from './keptDelivery.ts';
import { markedStatus } from './refusal.ts';
import { durationText } from '../shared/text/durationText.ts';
import { isFinalStatus, judgeAttempt } from '../service/webhookAttempt.ts';
import { isSuccess } from '../shared/http/isSuccess.ts';
import { joined, type LinkedText, linkTo } from '../shared/text/linkedText.ts';
import { codeText, otherSideText } from '../shared/http/failureReason.ts';
import { t } from '../shared/text/l10n.ts';
import { capitalized, sentence, sentences } from '../shared/text/sentences.ts';

/** What a link in a line opens: the delivery, why it does not verify, a replay of it, or the run of what broke off. */
export type LineTarget = 'delivery' | 'explanation' | 'replay' | 'run';

/** The result of forwarding a delivery, and what follows from it, in sentences. */
export function attemptSentences(handed: Handed): string {
  const { to, status, error = '', durationMs } = handed.forward;
  const host = URL.parse(to)?.host ?? to;
  const outcome =
    status === undefined
      ? t('Your handler at {0} {1}', host, missingAnswerText(error))
      : t('Your handler at {0} returned {1} in {2}', host, status, durationText(durationMs));
  const follows = isTaken(handed.forward) ? undefined : passedOnText(handed);
  return sentences(sentence(outcome), follows && sentence(capitalized(follows)));
}

/**
 * The result of forwarding a delivery and what follows from it, as part of a line, with its links.
 * @param isShort leaves out what the service would do in production, which the delivery itself says
 */
export function forwardLine(handed: Handed, isShort = false): LinkedText<LineTarget> {
  const { forward } = handed;
  const { status, durationMs } = forward;
  const host = URL.parse(forward.to)?.host ?? forward.to;
  if (isTaken(forward)) {
    const said = markedStatus(forward, status ?? '');
    return { text: t('→ {0} {1} in {2}', host, said, durationText(durationMs)), links: [] };
  }
  const outcome =
    status === undefined
      ? t('→ {0} {1}', host, missingAnswerText(forward.error ?? ''))
      : t('→ {0} {1} in {2}', host, markedStatus(forward, status), durationText(durationMs));
  const repeats = isShort && isSuccess(handed.answered) ? undefined : passedOnText(handed);
  const ended = [outcome, ...(repeats === undefined ? [] : [repeats])].join('; ');
  // Replay sends what was kept, and not what was edited.
  const wasEdited = 'kind' in forward && isEdited(forward);
  return joined([ended, ...(wasEdited ? [] : [': ', ...kept()])]);
}

/** A delivery that was forwarded. */
export interface Handed extends Pick<Delivery, 'answered'> {
  forward: Forward | Attempt;
}

/** Whether the local app answered with success. */
export function isTaken({ status = 0 }: Forward): boolean {
  return isSuccess(status);
}

/**
 * What the service does after an unsuccessful or missing answer (service-interface.md, section 6, "Retry
 * behaviour"). In the mode `passThrough` it waits for the local app. In the other one it has got its 200 before: then
 * this says what the local app's status would mean without Runhook in between, where that is the end of the delivery.
 */
export function passedOnText({ forward, answered }: Handed): string | undefined {
  // A replay answers no request of the service.
  if ('kind' in forward && forward.kind !== 'forward') return undefined;
  if (answered === 0) {
    const { status } = forward;
    const isPassedOn = status !== undefined && isFinalStatus(status);
    return isPassedOn ? undefined : t('the service got no response and tries up to 3 times');
  }
  switch (judgeAttempt({ kind: 'response', status: answered })) {
    case 'delivered':
      return isLostInProduction(forward) ? t('in production the service would not try again') : undefined;
    case 'retry':
      return t('the service got {0} and tries up to 3 times', answered);
    case 'permanentFailure':
      return t('the service got {0} and does not try again', answered);
  }
}

function isLostInProduction({ status }: Forward): boolean {
  return status !== undefined && judgeAttempt({ kind: 'response', status }) === 'permanentFailure';
}

/** Why the handler gave no response, as a sentence about it. @param error code or message of Node's error, or an `attemptErrors` */
export function missingAnswerText(error: string): string {
  return missingAnswer(error) ?? t('did not respond ({0})', missingAnswerReason(error));
}

/**
 * The same where there is little room: `your handler is not running`, `certificate expired`.
 * @param isShort as a row says it: `handler not running`
 */
export function shortMissingAnswerText(error: string, isShort = false): string {
  const said = missingAnswer(error, isShort);
  if (said === undefined) return missingAnswerReason(error);
  return isShort ? t('handler {0}', said) : t('your handler {0}', said);
}

function missingAnswerReason(error: string): string {
  if (error === attemptErrors.listenerEnded) return t('the listener stopped first');
  if (error === attemptErrors.cancelled) return t('replay cancelled');
  return codeText(error) ?? t('the connection failed');
}

function missingAnswer(error: string, isShort = false): string | undefined {
  return error === attemptErrors.toListener ? t('is the listener itself') : otherSideText(error, isShort);
}

/** A line where nothing can be clicked, as in a terminal. */
export function unlinked({ text, links }: LinkedText<LineTarget>): string {
  const isKept = links.some(({ to }) => to === 'replay');
  const explain = links.find(({ to }) => to === 'explanation');
  const said =
    explain === undefined
      ? text
      : // With the space before it.
        `${text.slice(0, explain.start - 1)}${text.slice(explain.start + explain.length)}`.trimEnd();
  return isKept ? said.replace(joined(kept()).text, t('kept')) : said;
}

function kept(): (string | LinkedText<LineTarget>)[] {
  const place = '\0';
  const [before = '', behind] = t('kept, {0}', place).split(place);
  // The text of the command line, which has no links, leaves no place for one.
  return behind === undefined ? [before] : [before, linkTo('replay', t('Replay')), behind];
}

/** The text for a delivery that is not forwarded because the user has not allowed the address. */
export function withheldLine(
  { host }: URL,
  permission: Exclude<Permission, 'given'>,
): LinkedText<LineTarget> {
  return permission === 'refused'
    ? { text: t('→ you did not allow {0}: kept', host), links: [] }
    : joined([`${t('→ {0} is not allowed yet', host)}: `, ...kept()]);
}
