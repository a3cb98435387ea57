/** A text in which no line break and no other control character can forge a line of the output. */
export function oneLine(text: string): string {
  // guard S93: A delivery is one line, whatever it contains.
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '·').toWellFormed();
}
