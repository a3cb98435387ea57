import assert from 'node:assert/strict';
import { systemClock } from '../../../src/model/processes/clock.ts';
import { untilListening } from '../../../src/suite/run/untilListening.ts';
import { Receiver } from '../../support/http/receiver.ts';

describe('an app that is waited for', () => {
  const never = new AbortController().signal;

  it('is there as soon as it takes connections', async () => {
    const first = await Receiver.start();
    const to = new URL(first.url);
    assert.equal(await untilListening(to, systemClock, 20_000, never), true);
    await first.close();
    assert.equal(await untilListening(to, systemClock, 0, never), false);
  });

  for (const [attempt, limitMs] of [
    ['an attempt', 600_000],
    ['its last attempt', 0],
  ] as const) {
    it(`is waited for no longer where ${attempt} is broken off`, async () => {
      const gone = await Receiver.start();
      const to = new URL(gone.url);
      await gone.close();
      const stop = new AbortController();
      const waiting = untilListening(to, systemClock, limitMs, stop.signal);
      stop.abort(new Error('stopped'));
      await assert.rejects(waiting, /stopped/);
    });
  }
});
