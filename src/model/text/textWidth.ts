/** Chinese, Japanese and Korean letters are two columns wide in a fixed-width font. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/gu;

/** How many columns a text takes in a fixed-width font. */
export function textWidth(text: string): number {
  return text.length + (text.match(wide)?.length ?? 0);
}

/** The text with spaces after it, up to that many columns. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}
