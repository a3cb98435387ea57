import assert from 'node:assert/strict';
import { findTokenLeaks } from '../../../src/model/tokenLeaks.ts';
import { assertLinear } from '../../support/growth.ts';
import { jwt } from '../../support/jwt.ts';

describe('tokens in a text', () => {
  const stored = 'opaque-token-1';
  const ours = jwt({ project_id: 'p-1' });
  const found = (text: string) => {
    const leaks = findTokenLeaks(text, [stored, 'short'], ['p-1']);
    return leaks.map(({ start, end }) => text.slice(start, end));
  };

  for (const text of [
    `TOKEN=${stored}`,
    `"${stored}"`,
    `Authorization: Bearer ${stored}\n`,
    `It is ${stored}.`,
    `https://x.example/?t=${stored}`,
  ]) {
    it(`are found where they are stored: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), [stored]));
  }

  it('are found where their claims name a project', () => {
    assert.deepEqual(found(`a: ${ours}\nb: '${ours}'`), [ours, ours]);
  });

  it('are found once where both are so', () => {
    assert.deepEqual(findTokenLeaks(ours, [ours], ['p-1']), [
      { start: 0, end: ours.length, projectId: 'p-1' },
    ]);
  });

  for (const text of [
    ...['', 'short', `x${stored}`, `${stored}2`, `${stored}-and-more`],
    ...[jwt({ project_id: 'p-2' }), jwt({ sub: 'p-1' }), 'eyJ.eyJ.x'],
  ]) {
    it(`are not seen in ${JSON.stringify(text.slice(0, 40))}`, () => assert.deepEqual(found(text), []));
  }

  it('are looked for no longer than the text is long', () => {
    assertLinear(5000, (size) => assert.deepEqual(found('eyJ'.repeat(size)), []));
  });
});
