import assert from 'node:assert/strict';
import { measureTree } from '../bench/treeOpening.ts';
import { session } from '../support/session.ts';

/** Half a second is the aim, held by `npm run bench:tree`; this holds on a machine that is busy as well. */
const limitMs = 1500;

describe('10,000 keys', () => {
  it('are in the tree soon after the answer, and the palette opens meanwhile', async () => {
    const { first, refreshed, paletteMs } = await measureTree(await session(), 10_000, 3);
    const times = [first, ...refreshed].map(({ drawn }) => drawn);
    const shown = times.map((ms) => ms.toFixed(0)).join(', ');
    console.log(`      in the tree after ${shown} ms; the palette opens after ${paletteMs.toFixed(0)} ms`);
    assert.ok(Math.min(...times) < limitMs, `the limit is ${limitMs} ms`);
    assert.ok(paletteMs < limitMs, `the limit is ${limitMs} ms`);
  });
});
