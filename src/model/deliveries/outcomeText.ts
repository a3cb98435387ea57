import { durationText } from '../text/durationText.ts';
import { t } from '../text/l10n.ts';
import { type Delivery, type Forward, mostAttempts, type Verdict } from './delivery.ts';
import { isTaken, missingAnswerText } from './forwardText.ts';
import { verdictMark, verdictText } from './verdictText.ts';

type Judged = Pick<Delivery, 'verdict' | 'forward' | 'attempts'>;

/** What a delivery is marked with: its verdict, or what its app has made of it where that is worse. */
export type Mark = Verdict | 'refusedByApp';

export function markOf({ verdict, forward }: Judged): Mark {
  const isWorse = verdict === 'verified' || verdict === 'unsigned';
  return isWorse && forward !== undefined && !isTaken(forward) ? 'refusedByApp' : verdict;
}

/** The same in words: `app 500`, `app 200, attempt 2`, `mismatch`. */
export function outcomeText(delivery: Judged): string {
  return outcomes(delivery)[0];
}

/** What else there is to say of verdict and app. */
export function otherOutcomeText(delivery: Judged): string | undefined {
  return outcomes(delivery)[1];
}

/** Both, the verdict first: `✓ verified · app 500`. */
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

/** What the app made of it the last time; undefined where it was handed to nobody. */
function appText({ forward, attempts = [] }: Judged): string | undefined {
  if (forward === undefined) return undefined;
  const { status, error = '' } = forward;
  const said = status === undefined ? t('app {0}', missingAnswerText(error)) : t('app {0}', status);
  const count = attempts.length < mostAttempts ? attempts.length : `${mostAttempts}+`;
  const counted = attempts.length > 1 ? t('{0}, attempt {1}', said, count) : said;
  return attempts.at(-1)?.kind === 'edited' ? t('{0}, edited', counted) : counted;
}

/** What a single attempt brought: `→ 200 in 3 ms`. */
export function attemptText({ status, durationMs, error = '' }: Forward): string {
  return status === undefined
    ? t('→ your app {0}', missingAnswerText(error))
    : t('→ {0} in {1}', status, durationText(durationMs));
}
