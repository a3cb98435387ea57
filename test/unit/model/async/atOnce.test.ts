import assert from 'node:assert/strict';
import { atOnce } from '../../../../src/model/async/atOnce.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('several things at once', () => {
  /** What has begun and not ended, and what ends each. */
  function rig(times: number, most: number) {
    const open: { number: number; end: () => void }[] = [];
    const begun: number[] = [];
    const abort = new AbortController();
    const work = (number: number) =>
      new Promise<void>((end) => {
        begun.push(number);
        open.push({ number, end });
      });
    return { open, begun, abort, done: atOnce(times, most, abort.signal, work) };
  }

  it('are begun in order, so many at once and no more, and all of them in the end', async () => {
    const { open, begun, done } = rig(7, 3);
    for (let ended = 0; ended < 7; ended += 1) {
      await turn();
      assert.deepEqual(
        open.map(({ number }) => number),
        [1, 2, 3, 4, 5, 6, 7].slice(ended, ended + 3),
      );
      open.shift()?.end();
    }
    await done;
    assert.deepEqual(begun, [1, 2, 3, 4, 5, 6, 7]);
  });

  it('are no more than there are', async () => {
    const { open, done } = rig(2, 20);
    assert.equal(open.length, 2);
    for (const { end } of open) end();
    await done;
  });

  it('are not begun once they are cancelled, and what was begun is waited for', async () => {
    const { open, begun, abort, done } = rig(7, 2);
    abort.abort();
    let isDone = false;
    void done.then(() => (isDone = true));
    open.shift()?.end();
    await turn();
    assert.equal(isDone, false);
    open.shift()?.end();
    await done;
    assert.deepEqual(begun, [1, 2]);
  });

  it('are not begun at all where they were cancelled before', async () => {
    await atOnce(3, 2, AbortSignal.abort(), () => assert.fail('It was begun.'));
  });
});
