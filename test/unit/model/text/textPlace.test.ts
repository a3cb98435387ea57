import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeFinder } from '../../../../src/model/text/textPlace.ts';

describe('places in a text', () => {
  it('are by line and character, with every kind of line end', () => {
    const text = 'a\r\nbc\rd\n';
    assert.deepEqual([0, 1, 3, 4, 6, 8].map(placeFinder(text)), [
      { line: 0, character: 0 },
      { line: 0, character: 1 },
      { line: 1, character: 0 },
      { line: 1, character: 1 },
      { line: 2, character: 0 },
      { line: 3, character: 0 },
    ]);
  });

  it('are where a walk through the text comes by', () => {
    const lineText = fc.array(fc.constantFrom('x', '\n', '\r\n', '\r'), { maxLength: 30 });
    fc.assert(
      fc.property(lineText, (parts) => {
        // What stands together is one line end.
        const text = parts.join('').replaceAll('\r\r\n', '\r\n');
        const offset = text.length;
        const lines = text.split(/\r\n|\r|\n/);
        assert.deepEqual(placeFinder(text)(offset), {
          line: lines.length - 1,
          character: lines.at(-1)!.length,
        });
      }),
    );
  });
});
