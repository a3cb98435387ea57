import assert from 'node:assert/strict';

/**
 * Fails where a text that somebody else wrote, as it is shown, could leave its line, turn its direction, hide what
 * follows it, or be drawn as an icon or a link.
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

/** The same of each line of a text whose lines are Runhook's own. */
export function assertHarmlessLines(shown: string, lines: number, longest: number): void {
  const parts = shown.split('\n');
  assert.equal(parts.length, lines, JSON.stringify(shown.slice(0, 400)));
  for (const part of parts) assertHarmless(part, longest);
}
