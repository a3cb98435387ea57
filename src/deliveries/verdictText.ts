import { verdicts } from '../contract/values.ts';
import type { Verdict } from '../contract/delivery.ts';
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

/** A sign for a verdict, before its words. */
export function verdictMark(verdict: Verdict): string {
  if (verdict === 'verified') return '✓';
  return verdict === 'unsigned' ? '○' : '✗';
}

/** A word padded to the width of the verdict column: that of the widest verdict in the user's language. */
export function verdictColumn(word: string): string {
  return padded(word, Math.max(...verdicts.map((one) => textWidth(verdictText(one)))));
}

/** How often something was delivered again: `1 repeat`, `2 repeats`. */
export function repeatsText(count: number): string {
  return count === 1 ? t('1 repeat') : t('{0} repeats', count);
}
