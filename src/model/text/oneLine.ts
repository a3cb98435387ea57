/** A text in which no line break and no other control character can forge a line of the output. */
export function oneLine(text: string): string {
  // guard: a delivery is one line, whatever it holds
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '·').toWellFormed();
}
