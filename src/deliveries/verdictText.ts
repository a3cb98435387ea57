import { verdicts } from '../contract/values.ts';
import type { Delivery, Verdict } from '../contract/delivery.ts';
import { padded, textWidth } from '../shared/text/plainText.ts';
import { t } from '../shared/text/l10n.ts';

/** A verdict in the user's language: a word or two, for the middle of a line. */
export function verdictText(verdict: Verdict): string {
  switch (verdict) {
    case 'verified':
      return t('verified');
    case 'unsigned':
      return t('unsigned');
    case 'mismatch':
      return t('mismatch');
    case 'stale':
      return t('stale');
    case 'malformed':
      return t('malformed');
    case 'no-secret':
      return t('no secret');
  }
}

/** What a delivery is: its verdict, or that it was made here, which is said in place of *verified*. */
export function judgedText({ verdict, madeHere }: Pick<Delivery, 'verdict' | 'madeHere'>): string {
  if (madeHere !== true) return verdictText(verdict);
  return verdict === 'verified' ? t('made here') : `${t('made here')}, ${verdictText(verdict)}`;
}

/** A sign for that, before its words. */
export function judgedMark({ verdict, madeHere }: Pick<Delivery, 'verdict' | 'madeHere'>): string {
  return madeHere === true && verdict === 'verified' ? '✎' : verdictMark(verdict);
}

/** What *made here* means, as a sentence. */
export function madeHereText(): string {
  return t("Made here from the run's response, not sent by the service.");
}

/** A sign for a verdict, before its words. */
export function verdictMark(verdict: Verdict): string {
  if (verdict === 'verified') return '✓';
  return verdict === 'unsigned' ? '○' : '✗';
}

/** A word padded to the width of the verdict column: that of the widest verdict in the user's language. */
export function verdictColumn(word: string): string {
  const words = [...verdicts.map(verdictText), t('made here')];
  return padded(word, Math.max(...words.map((one) => textWidth(one))));
}

/**
 * What is said of a repeat, as a clause.
 * @param first what it repeats
 */
export function repeatText(
  { wasTaken, isForwarding, forward }: Pick<Delivery, 'wasTaken' | 'isForwarding' | 'forward'>,
  first = t('an earlier delivery'),
): string {
  const isHeldBack = wasTaken === true && isForwarding !== true && forward === undefined;
  return isHeldBack ? t('repeat of {0}; not forwarded again', first) : t('repeat of {0}', first);
}

/** How often something was delivered again: `1 repeat`, `2 repeats`. */
export function repeatsText(count: number): string {
  return count === 1 ? t('1 repeat') : t('{0} repeats', count);
}
