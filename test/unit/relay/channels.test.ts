import assert from 'node:assert/strict';
import { Channels } from '../../../src/relay/channels.ts';
import { engineLimits } from '../../../src/relay/engine.ts';

const own = 'a'.repeat(26);
const mebibyte = 1024 * 1024;

/** Channels whose engine has one channel open, and can be away. */
function channelsOfOne() {
  const engine = { isAway: false, waiting: 0, limits: engineLimits, state };
  let now = 0;
  async function state(channel: string) {
    await Promise.resolve();
    if (engine.isAway) throw new Error('The engine is away.');
    return channel === own ? { waiting: engine.waiting, settledUntil: 0 } : undefined;
  }
  return { engine, channels: new Channels(engine, () => now), pass: (ms: number) => (now += ms) };
}

describe('what a relay knows of its channels', () => {
  it('is not forgotten for channels that are guessed: a busy one has no more than its share', async () => {
    const { channels } = channelsOfOne();
    const end = await channels.begin(own, 20 * mebibyte);
    assert.ok(typeof end === 'function');
    assert.equal(await channels.begin(own, 20 * mebibyte), 'busy');
    for (let at = 0; at <= 50_000; at += 1) assert.equal(await channels.isOpen(`guessed-${at}`), false);
    assert.equal(await channels.begin(own, 20 * mebibyte), 'busy');
    end('kept');
    assert.equal(typeof (await channels.begin(own, 20 * mebibyte)), 'function');
  });

  it('will do, however old, while the engine is asked for too many others', async () => {
    const { channels, engine, pass } = channelsOfOne();
    assert.equal(await channels.isOpen(own), true);
    pass(24 * 3600 * 1000);
    engine.isAway = true;
    assert.equal(await channels.isOpen(own), true);
    assert.equal(typeof (await channels.begin(own, mebibyte)), 'function');
    engine.isAway = false;
    assert.equal(await channels.isOpen('another'), false);
  });

  it('has a channel full of large deliveries before there are many: small ones are still taken', async () => {
    const { channels, engine } = channelsOfOne();
    engine.waiting = 100;
    assert.equal(typeof (await channels.begin(own, 2 * mebibyte)), 'function');
    assert.equal(await channels.begin(own, 3 * mebibyte), 'full');
    assert.equal(typeof (await channels.begin(own, 1024)), 'function');
  });
});
