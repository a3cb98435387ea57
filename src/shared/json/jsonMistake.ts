import { t } from '../text/l10n.ts';

/** In characters. Mistakes are not located in longer texts, since that parses the text again and again. */
const longest = 1_000_000;

/**
 * What is wrong with a text that is not JSON, for the user who has it open: where the first mistake is.
 * @param text that `JSON.parse` rejects
 */
export function jsonMistake(text: string): string {
  if (text.trim() === '') return t('It is empty.');
  const end = mistakeOffset(text);
  if (end === undefined) return t('The editor underlines the mistake.');
  if (end === text.length) return t('It ends too early.');
  const lines = text.slice(0, end).split('\n');
  return t('Line {0}, column {1}.', lines.length, (lines.at(-1)?.length ?? 0) + 1);
}

/** The offset of the first mistake in a text that is not JSON; undefined if the text is too long to search. */
export function mistakeOffset(text: string): number | undefined {
  return text.length > longest ? undefined : longestBeginning(text);
}

/** The length of the longest beginning of a text that valid JSON can begin with. */
function longestBeginning(text: string): number {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (canBegin(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether valid JSON can begin with a text, so that it has no mistake before its end. */
function canBegin(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return position === undefined
      ? /^Unexpected end|^Unterminated/.test(message)
      : Number(position) >= text.length;
  }
}
