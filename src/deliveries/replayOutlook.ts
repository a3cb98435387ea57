import type { WholeDelivery } from '../contract/delivery.ts';
import { handlerToleranceSeconds } from './outcomeText.ts';
import type { HeldSecret } from '../service/signature/webhookSecret.ts';
import { pastText, spanText } from '../shared/text/durationText.ts';
import { t } from '../shared/text/l10n.ts';
import { verify } from '../service/signature/signature.ts';
import { bodyOf } from './deliveryBody.ts';
import { resigningSecret } from './resigningSecret.ts';

/** What a kept delivery meets that is sent as it came to a handler that verifies. */
export type ReplayOutlook =
  /** Its signature still verifies. */
  | { kind: 'fits' }
  /** It was signed longer ago than a handler tolerates. */
  | { kind: 'old'; ageMs: number }
  /** The current secret is not that of its signature. */
  | { kind: 'rotated' }
  /** It never had the right signature. Signed anew, one from a stranger would look like one from the service. */
  | { kind: 'neverFitted' }
  /** It has no signature. */
  | { kind: 'unsigned' };

/**
 * @param now Unix milliseconds
 * @param toleranceSeconds how far a timestamp may be off the clock; 0 where that is not checked
 */
export function replayOutlook(
  delivery: Pick<WholeDelivery, 'verdict' | 'headers' | 'body' | 'bodyEncoding' | 'appName'>,
  secrets: readonly HeldSecret[],
  now: number,
  toleranceSeconds: number,
): ReplayOutlook {
  const { verdict, headers, appName } = delivery;
  if (verdict === 'unsigned') return { kind: 'unsigned' };
  // guard S21: A delivery that never verified is not signed again without a question.
  if (verdict !== 'verified' && verdict !== 'stale') return { kind: 'neverFitted' };
  const body = bodyOf(delivery);
  const secret = resigningSecret({ headers, body, appName }, secrets);
  const seconds = handlerToleranceSeconds(toleranceSeconds);
  const check = verify(headers, body, secret === undefined ? [] : [secret], now / 1000, seconds);
  if (check.verdict === 'verified') return { kind: 'fits' };
  return check.verdict === 'stale' ? { kind: 'old', ageMs: check.ageSeconds * 1000 } : { kind: 'rotated' };
}

/** Whether a replay signs anew, where nobody says how. */
export function signsAnew({ kind }: ReplayOutlook): boolean {
  return kind === 'old' || kind === 'rotated';
}

/** What is wrong with the signature by now, as a clause; undefined if nothing is that was not so from the start. */
export function outlookText(outlook: ReplayOutlook): string | undefined {
  switch (outlook.kind) {
    case 'old':
      return outlook.ageMs > 0
        ? t('signed {0} ago', pastText(outlook.ageMs))
        : t('dated {0} ahead', spanText(-outlook.ageMs));
    case 'rotated':
      return t('signed with a secret other than the current one');
    case 'fits':
    case 'neverFitted':
    case 'unsigned':
      return undefined;
  }
}
