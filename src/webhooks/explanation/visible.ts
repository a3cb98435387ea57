/** Control and formatting characters as pictures or escapes, so that nothing hides; newlines stay. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => {
    if (one === '\n') return one;
    const code = one.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}
