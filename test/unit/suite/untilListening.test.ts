import assert from 'node:assert/strict';
import { systemClock } from '../../../src/model/processes/clock.ts';
import { untilListening } from '../../../src/suite/run/untilListening.ts';
import { Receiver } from '../../support/receiver.ts';

describe('an app that is waited for', () => {
  const never = new AbortController().signal;

  it('is there as soon as it takes connections', async () => {
    const first = await Receiver.start();
    const to = new URL(first.url);
    assert.equal(await untilListening(to, systemClock, 20_000, never), true);
    await first.close();
    assert.equal(await untilListening(to, systemClock, 0, never), false);
  });

  it('is waited for no longer where that is broken off', async () => {
    const gone = await Receiver.start();
    const to = new URL(gone.url);
    await gone.close();
    const stop = new AbortController();
    const waiting = untilListening(to, systemClock, 600_000, stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
  });

  it('rejects where its last attempt is broken off', async () => {
    const gone = await Receiver.start();
    const to = new URL(gone.url);
    await gone.close();
    const stop = new AbortController();
    const waiting = untilListening(to, systemClock, 0, stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
  });
});
