import { durationText, spanText } from '../shared/text/durationText.ts';
import { t } from '../shared/text/l10n.ts';
import { type Delivery, type Forward, mostAttempts, type Verdict } from '../contract/delivery.ts';
import { isTaken, missingAnswerText } from './forwardText.ts';
import { verdictMark, verdictText } from './verdictText.ts';

type Judged = Pick<Delivery, 'verdict' | 'forward' | 'attempts'>;

/** The mark of a delivery: its verdict, or that the app refused it, if that is worse. */
export type Mark = Verdict | 'refusedByApp';

export function markOf({ verdict, forward }: Judged): Mark {
  const isWorse = verdict === 'verified' || verdict === 'unsigned';
  return isWorse && forward !== undefined && !isTaken(forward) ? 'refusedByApp' : verdict;
}

/** The mark in words: `app 500`, `app 200, attempt 2`, `mismatch`. */
export function outcomeText(delivery: Judged): string {
  return outcomes(delivery)[0];
}

/** What `outcomeText` leaves out of verdict and app outcome, if anything. */
export function otherOutcomeText(delivery: Judged): string | undefined {
  return outcomes(delivery)[1];
}

/** Verdict and app outcome, the verdict first: `✓ verified · app 500`. */
export function judgementText(delivery: Judged): string {
  const { verdict } = delivery;
  const app = appText(delivery);
  return `${verdictMark(verdict)} ${verdictText(verdict)}${app === undefined ? '' : ` · ${app}`}`;
}

function outcomes(delivery: Judged): [string, string?] {
  const { verdict } = delivery;
  const judged = verdictText(verdict);
  const app = appText(delivery);
  if (app === undefined) return [judged];
  if (verdict === 'verified') return [app];
  return markOf(delivery) === 'refusedByApp' ? [app, judged] : [judged, app];
}

/** The app's outcome at the last attempt; undefined if there was none. */
function appText({ forward, attempts = [] }: Judged): string | undefined {
  if (forward === undefined) return undefined;
  const { status, error = '' } = forward;
  const said = status === undefined ? t('app {0}', missingAnswerText(error)) : t('app {0}', status);
  const count = attempts.length < mostAttempts ? attempts.length : `${mostAttempts}+`;
  const counted = attempts.length > 1 ? t('{0}, attempt {1}', said, count) : said;
  return attempts.at(-1)?.kind === 'edited' ? t('{0}, edited', counted) : counted;
}

/** How long handlers tolerate a signature, in seconds: as the code does that Runhook writes. */
const usualToleranceSeconds = 300;

/** How long a handler may tolerate a signature, in seconds. @param ofListener 0 where the listener does not check it */
export function handlerToleranceSeconds(ofListener: number): number {
  return ofListener > 0 ? ofListener : usualToleranceSeconds;
}

/** Answers by which a handler says that it does not take a delivery for a genuine one. */
const refusals = [400, 401, 403];

/**
 * Why the handler may have refused the last attempt: it got the original signature when that was too old. Undefined
 * if it was not refused like that.
 */
export function oldSignatureText(
  { attempts, sentAt }: Pick<Delivery, 'attempts' | 'sentAt'>,
  toleranceSeconds: number,
): string | undefined {
  const last = attempts?.at(-1);
  if (last === undefined || sentAt === undefined) return undefined;
  const { kind, status = 0, at } = last;
  if ((kind !== 'forward' && kind !== 'replay') || !refusals.includes(status)) return undefined;
  const ageMs = Date.parse(at) - Date.parse(sentAt);
  return ageMs > toleranceSeconds * 1000 ? t('signed {0} ago', spanText(ageMs)) : undefined;
}

/** The result of a single attempt: `→ 200 in 3 ms`. */
export function attemptText({ status, durationMs, error = '' }: Forward): string {
  return status === undefined
    ? t('→ your app {0}', missingAnswerText(error))
    : t('→ {0} in {1}', status, durationText(durationMs));
}
