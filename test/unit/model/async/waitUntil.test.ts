import assert from 'node:assert/strict';
import { waitUntil } from '../../../../src/model/async/waitUntil.ts';
import { TestClock } from '../../../support/time/testClock.ts';

describe('waiting for something that is told', () => {
  function rig(signal: AbortSignal) {
    const clock = new TestClock();
    const state = { isThere: false, listeners: 0, look: (): void => undefined };
    const listen = (look: () => void) => {
      state.look = look;
      state.listeners += 1;
      return () => void (state.listeners -= 1);
    };
    const wait = () => waitUntil(() => state.isThere, { listen, clock, ms: 1000, signal });
    return { clock, state, wait };
  }
  const never = () => new AbortController().signal;

  it('ends at once where it is there', async () => {
    const { state, wait } = rig(AbortSignal.abort());
    state.isThere = true;
    assert.equal(await wait(), 'there');
    assert.equal(state.listeners, 0);
  });

  it('ends when it is there, and not when something else is told', async () => {
    const { clock, state, wait } = rig(never());
    const waiting = wait();
    state.look();
    clock.advance(999);
    assert.equal(state.listeners, 1);
    state.isThere = true;
    state.look();
    assert.equal(await waiting, 'there');
    assert.deepEqual([state.listeners, clock.nextIn], [0, undefined]);
  });

  it('ends by the time limit', async () => {
    const { clock, state, wait } = rig(never());
    const waiting = wait();
    clock.advance(1000);
    assert.equal(await waiting, 'late');
    assert.equal(state.listeners, 0);
  });

  it('ends by the signal, also by one that was aborted before', async () => {
    const abort = new AbortController();
    const { clock, state, wait } = rig(abort.signal);
    const waiting = wait();
    abort.abort();
    assert.equal(await waiting, 'aborted');
    assert.deepEqual([state.listeners, clock.nextIn], [0, undefined]);
    assert.equal(await wait(), 'aborted');
    assert.deepEqual([state.listeners, clock.nextIn], [0, undefined]);
  });
});
