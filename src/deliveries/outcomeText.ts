import { errorMessage, htmlTitle } from '../service/errorMessage.ts';
import { durationText, pastText, waitText } from '../shared/text/durationText.ts';
import { t } from '../shared/text/l10n.ts';
import { plainText } from '../shared/text/plainText.ts';
import { isSuccess } from '../shared/http/isSuccess.ts';
import type { Attempt, AttemptKind, Delivery, Forward, Verdict } from '../contract/delivery.ts';
import { shortMissingAnswerText } from './forwardText.ts';
import { cameOutRight, refusals, unsignedOutcome } from './refusal.ts';
import { verdictText } from './verdictText.ts';

/** What the outcome of a delivery is read from. A run keeps as much of its delivery. */
export type DeliveryState = Pick<
  Delivery,
  'verdict' | 'answered' | 'reason' | 'sentAt' | 'isForwarding' | 'madeHere'
> & {
  forward?: Delivery['forward'] | undefined;
};

/**
 * What became of a delivery: its verdict, or what became of it in the handler, if that is worse or not known yet, or that
 * the handler did not get it since the user had set another status than 200.
 */
export type Outcome = Verdict | 'failed' | 'waiting' | 'setByUser';

/** A codicon and its theme colour. */
export interface OutcomeIcon {
  icon: string;
  color?: string;
}

/** The longest reason, which rows and links have no room for. */
const mostReason = 300;
/** The longest outcome in a link at the top of a document, which leaves room for the next ones in half an editor. */
const mostOfLink = 40;

const good = { icon: 'pass', color: 'charts.green' };
/** It verifies, and still is not one of the service. */
const made = { icon: 'edit', color: 'charts.blue' };
const warning = { icon: 'warning', color: 'problemsWarningIcon.foreground' };
const bad = { icon: 'error', color: 'problemsErrorIcon.foreground' };

/** The one state of a delivery: of its row, of the row of its run, of its lens, and of the badge. */
export function outcomeOf({
  verdict,
  answered,
  forward,
  isForwarding,
}: Pick<DeliveryState, 'verdict' | 'answered' | 'forward' | 'isForwarding'>): Outcome {
  if (isForwarding === true) return 'waiting';
  if (verdict !== 'verified' && verdict !== 'unsigned') return verdict;
  if (forward !== undefined) return cameOutRight(forward) ? verdict : 'failed';
  // By itself the listener takes all that verifies.
  return verdict === 'verified' && answered !== 0 && !isSuccess(answered) ? 'setByUser' : verdict;
}

export function outcomeIcon(state: DeliveryState): OutcomeIcon {
  switch (outcomeOf(state)) {
    case 'verified':
      return state.madeHere === true ? made : good;
    case 'waiting':
      return { icon: 'color-mode', color: 'charts.blue' };
    case 'unsigned':
      return isSuccess(state.answered) ? { icon: 'circle-large-outline' } : warning;
    case 'stale':
      return isSuccess(state.answered) ? warning : bad;
    case 'mismatch':
    case 'malformed':
      return bad;
    case 'no-secret':
    case 'setByUser':
    case 'failed':
      return warning;
  }
}

/**
 * The outcome and its reason: `200 · 18 ms`, `500 "KeyError: 'prompt'"`, `mismatch: newline after secret`, `made
 * here · 200 · 18 ms`.
 * @param isShort as a row says it, beside its icon: `newline after secret`
 */
export function outcomeText(
  state: DeliveryState,
  toleranceSeconds = usualToleranceSeconds,
  isShort = false,
): string {
  const text = textOf(state, toleranceSeconds, isShort);
  if (state.madeHere !== true) return text;
  if (text === verdictText('verified')) return t('made here');
  // What went wrong stands first: the end of a row is what is cut off.
  return outcomeOf(state) === 'verified' ? `${t('made here')} · ${text}` : `${text} · ${t('made here')}`;
}

function textOf(state: DeliveryState, toleranceSeconds: number, isShort: boolean): string {
  const { verdict, forward, reason } = state;
  const outcome = outcomeOf(state);
  if (outcome === 'waiting') return isShort ? t('waiting in handler') : t('waiting in your handler');
  if (outcome === 'setByUser') return `${setByUserText(state)} · ${t('not forwarded')}`;
  if (outcome === 'failed' && forward !== undefined) {
    const why = oldSignatureText(state, toleranceSeconds);
    if (why !== undefined && forward.status !== undefined) return `${forward.status}: ${why}`;
    const said = failureReason(forward);
    return said === undefined || forward.status === undefined
      ? handlerText(forward, isShort)
      : `${forward.status} "${isShort ? withoutCeremony(said) : said}"`;
  }
  if (verdict === 'verified') {
    return forward?.status === undefined
      ? verdictText(verdict)
      : `${forward.status} · ${durationText(forward.durationMs)}`;
  }
  if (reason === undefined) return verdictText(verdict);
  // What to do about it follows behind a colon, as `Cause` says. Whose secret it was comes first, and matters less.
  const [before = ''] = reason.split(': ', 1);
  const why = before.split(t('; and ')).at(-1) ?? '';
  // These two have a sign of their own, and their reasons say what is wrong with the signature.
  const isSaid = isShort && (verdict === 'mismatch' || verdict === 'malformed');
  return isSaid ? why : `${verdictText(verdict)}: ${why}`;
}

/** Whose status it was that the listener returned. */
export function setByUserText({ answered }: Pick<DeliveryState, 'answered'>): string {
  return t('{0} set by you', answered);
}

/** What the handler made of a delivery that did not verify, and was sent to it all the same; undefined for any other. */
export function anywayText(state: DeliveryState): string | undefined {
  const { verdict, forward } = state;
  const isAnyway = verdict !== 'verified' && forward?.status !== undefined && outcomeOf(state) !== 'failed';
  return isAnyway ? handlerText(forward, true) : undefined;
}

/**
 * The outcome, behind what the handler made of a delivery that it got although that did not verify.
 * @param isShort as a row says it: beside what the handler returned there is no room for the reason
 */
export function outcomeInHandler(state: DeliveryState, isShort = false): string {
  const anyway = anywayText(state);
  if (anyway === undefined) return outcomeText(state, undefined, isShort);
  return `${anyway} · ${isShort ? verdictText(state.verdict) : outcomeText(state)}`;
}

/** The outcome and its reason, cut as a link at the top of a document has room for them, and whole. */
export function outcomeTitle(state: DeliveryState): { title: string; tooltip: string } {
  const text = outcomeInHandler(state);
  return { title: plainText(text, mostOfLink), tooltip: plainText(text, mostReason) };
}

/** The class of an error goes without saying where words follow it, and so does that something could not be read. */
function withoutCeremony(reason: string): string {
  return reason
    .replace(/^[\w.$]*(?:Error|Exception): (?=\S+ )/, '')
    .replace(/^Cannot (?:read|set) properties of (\w+) \((?:reading|setting) (.*)\)$/, '$2 of $1');
}

/** What the handler made of a delivery: `500 from your handler`. @param isShort as a row says it: `handler 500` */
export function handlerText(
  { status, error = '' }: Pick<Forward, 'status' | 'error'>,
  isShort = false,
): string {
  if (status === undefined) return shortMissingAnswerText(error, isShort);
  return isShort ? t('handler {0}', status) : t('{0} from your handler', status);
}

/** Why a handler failed, as its response says: its message, or the line of a traceback that says it. */
export function failureReason({ answer = '' }: Pick<Forward, 'answer'>): string | undefined {
  const lines = messageIn(answer).split('\n');
  const told = lines.filter((line) => line.trim() !== '' && !/^[<\s]/.test(line));
  // Python ends a traceback with what went wrong, others begin with it.
  const line = told[0]?.startsWith('Traceback ') === true ? told.at(-1) : told[0];
  const text = plainText(line ?? '', mostReason);
  return text === '' || text.startsWith('Traceback ') ? undefined : text;
}

function messageIn(answer: string): string {
  const page = htmlTitle(answer);
  if (page !== undefined) return page;
  try {
    return errorMessage(JSON.parse(answer)) ?? answer;
  } catch {
    // JSON too, where only its beginning is kept.
    return /"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1] ?? answer;
  }
}

/** How a delivery was sent to the handler: `forwarded`, `replayed`, `edited`. */
export function attemptKindText(kind: AttemptKind): string {
  switch (kind) {
    case 'forward':
      return t('forwarded');
    case 'replay':
      return t('replayed');
    case 'signedAnew':
      return t('signed anew');
    case 'edited':
      return t('edited');
    case 'unsigned':
      return t('unsigned');
  }
}

/** The same of an attempt; of one that was sent unsigned with what became of it: `unsigned: accepted`. */
export function attemptWord(attempt: Attempt): string {
  return unsignedOutcome(attempt)?.word ?? attemptKindText(attempt.kind);
}

/** How long handlers tolerate a signature, in seconds: as the code does that Runhook writes. */
const usualToleranceSeconds = 300;

/** How long a handler may tolerate a signature, in seconds. @param ofListener 0 where the listener does not check it */
export function handlerToleranceSeconds(ofListener: number): number {
  return ofListener > 0 ? ofListener : usualToleranceSeconds;
}

/**
 * Why the handler may have refused the last attempt: it got the original signature when that was too old. Undefined
 * if it was not refused like that.
 */
export function oldSignatureText(
  { forward, sentAt }: Pick<DeliveryState, 'forward' | 'sentAt'>,
  toleranceSeconds: number,
): string | undefined {
  if (forward === undefined || !('kind' in forward) || !isRefusedAsItCame(forward)) return undefined;
  const ageMs = ageAt(Date.parse(forward.at), { sentAt });
  return ageMs > toleranceSeconds * 1000 ? t('signature {0} old', pastText(ageMs)) : undefined;
}

/** Whether a handler did not take for genuine what was sent to it with its original signature. */
export function isRefusedAsItCame({ kind, status = 0 }: Pick<Attempt, 'kind' | 'status'>): boolean {
  return (kind === 'forward' || kind === 'replay') && refusals.includes(status);
}

/** How long ago a delivery was signed, in milliseconds; 0 for a delivery that names no time. @param at Unix milliseconds */
export function ageAt(at: number, { sentAt }: Pick<DeliveryState, 'sentAt'>): number {
  return sentAt === undefined ? 0 : at - Date.parse(sentAt);
}

/** The result of a single attempt: `→ 200 in 3 ms`. */
export function attemptText(attempt: Forward): string {
  const { status, durationMs } = attempt;
  return status === undefined
    ? `→ ${handlerText(attempt)}`
    : t('→ {0} in {1}', status, durationText(durationMs));
}

/** A shorter time is spent on the way, in milliseconds. */
const leastWaitMs = 5000;

/**
 * How long a delivery waited at a relay; undefined where it hardly did.
 * @param isShort as a row says it, whose tooltip says where
 */
export function waitedText(
  { waitedMs = 0 }: Pick<Delivery, 'waitedMs'>,
  isShort = false,
): string | undefined {
  if (waitedMs < leastWaitMs) return undefined;
  const time = waitText(waitedMs);
  return isShort ? t('waited {0}', time) : t('waited {0} at the relay', time);
}
