import type { Verdict } from './delivery.ts';
import type { Translate } from './translate.ts';

const verdicts: readonly Verdict[] = ['verified', 'unsigned', 'mismatch', 'stale', 'malformed', 'no-secret'];

/** A verdict in the user's language: a word or two, in the middle of a line. */
export function verdictText(verdict: Verdict, t: Translate): string {
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

/** A verdict as a column: as wide as the widest of them in that language. */
export function verdictColumn(verdict: Verdict, t: Translate): string {
  const width = Math.max(...verdicts.map((one) => widthOf(verdictText(one, t))));
  const text = verdictText(verdict, t);
  return text + ' '.repeat(width - widthOf(text));
}

/** Chinese, Japanese and Korean letters are two columns wide in a fixed-width font. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/gu;

function widthOf(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0);
}
