import assert from 'node:assert/strict';
import { responseFolds, responseText } from '../../../../src/shared/http/responseText.ts';

describe('what can be folded in a response', () => {
  const parts = {
    outcome: '200 OK',
    notes: [],
    headers: [['a', 'b']] as const,
    request: ['POST http://a/', 'more', '', '── Headers'],
  };
  /** The lines of each fold: those that are folded at first have a mark. */
  const folds = (text: string) => {
    const lines = text.split('\n');
    return responseFolds(lines).map(
      ({ first, last, isPart }) => `${isPart ? '▸' : ''}${lines[first]}…${lines[last]}`,
    );
  };

  it('are its parts, and what is indented in its body', () => {
    const text = responseText({ ...parts, body: '{\n  "a": [\n    1\n  ],\n\n  "b": 2\n}' });
    assert.deepEqual(folds(text), [
      '{…  "b": 2',
      '  "a": […    1',
      '▸── Headers · 1…  a: b',
      '▸── Request · POST http://a/…  ── Headers',
    ]);
  });

  it('is not what a body calls so', () => {
    const text = responseText({ ...parts, body: '── Headers · 1\n  x: y' });
    assert.deepEqual(folds(text)[0], '── Headers · 1…  x: y');
    assert.equal(folds(text).filter((one) => one.startsWith('▸')).length, 2);
  });

  it('is not folded at first while the response is awaited: there is nothing else to read', () => {
    const text = responseText({ ...parts, headers: undefined, body: '' });
    assert.deepEqual(folds(text), ['── Request · POST http://a/…  ── Headers']);
  });
});
