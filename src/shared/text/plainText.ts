/**
 * A text that somebody else wrote, fit for a label: on one line, without control and formatting characters,
 * not longer than `length`, and without the `$(…)` that the editor would draw as an icon, and the `[…](…)` that it
 * would make a link of.
 */
export function plainText(text: string, length = 120): string {
  // Text far beyond the limit is not processed: it may be megabytes long.
  const line = text
    .slice(0, length * 4)
    // What was made plain before.
    .replace(/([$\]])\u200b\(/g, '$1(')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  const short = line.length > length ? `${line.slice(0, length - 1)}…` : line;
  // A zero-width space between the two keeps the text readable and is no icon.
  // guard S90: Text of the service is shown as text.
  return withoutLinks(short.toWellFormed().replaceAll('$(', '$\u200b('));
}

/** A message without links. The editor turns `[…](…)` into a link, and a `command:` link runs it on click. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200b(');
}

/** A text in which no line break and no other control character can forge a line of the output. */
export function oneLine(text: string): string {
  // guard S93: A delivery is one line, whatever it contains.
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '·').toWellFormed();
}

/** Chinese, Japanese and Korean letters, and the space among them, are two columns wide in a fixed-width font. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー\u3000]/gu;

/** How many columns a text takes in a fixed-width font. */
export function textWidth(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0);
}

/** The text with spaces after it, up to that many columns. Few fonts have wide letters twice as wide as others: wide spaces follow them. */
export function padded(text: string, width: number): string {
  const missing = Math.max(0, width - textWidth(text));
  const wideSpaces = textWidth(text) > text.length ? Math.floor(missing / 2) : 0;
  return text + '\u3000'.repeat(wideSpaces) + ' '.repeat(missing - 2 * wideSpaces);
}
