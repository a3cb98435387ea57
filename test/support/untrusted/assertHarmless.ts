import assert from 'node:assert/strict';

/**
 * Fails if a displayed text from outside can break the line, change the text direction, hide other text, or render as an
 * icon or a link.
 * @param longest in UTF-16 units
 */
export function assertHarmless(shown: string, longest: number): void {
  const about = JSON.stringify(shown.slice(0, 400));
  assert.doesNotMatch(shown, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u, about);
  assert.doesNotMatch(shown, /\$\([a-z]/i, about);
  assert.ok(!shown.includes(']('), about);
  assert.ok(shown.isWellFormed(), about);
  assert.ok(shown.length <= longest, `${shown.length} characters: ${about}`);
}

/** Checks each line of a text, and that it has exactly this many lines. */
export function assertHarmlessLines(shown: string, lines: number, longest: number): void {
  const shownLines = shown.split('\n');
  assert.equal(shownLines.length, lines, JSON.stringify(shown.slice(0, 400)));
  for (const part of shownLines) assertHarmless(part, longest);
}
