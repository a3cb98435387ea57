import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListenerSettings } from '../../../src/deliveries/listenerProtocol.ts';
import { ListenerProcess } from '../../support/listener/listenerProcess.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { HostileClients } from '../../support/listener/hostileClients.ts';
import { waitFor } from '../../support/time/waitFor.ts';

const largest = 10 << 20;
/** What a process takes that listens and has nothing to do is about 130. */
const mostMb = 500;

describe('a listener that strangers flood', () => {
  let folder: string;
  let listener: ListenerProcess;
  let strangers: HostileClients;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-flood-'));
    await start();
  });
  async function start(settings: Partial<ListenerSettings> = {}): Promise<void> {
    listener = await ListenerProcess.start(folder, { settings });
    strangers = new HostileClients(listener.port);
  }
  afterEach(async () => {
    strangers.disconnect();
    await listener.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Shows that deliveries are answered until something has come true. */
  async function deliverUntil(what: string, isSo: () => boolean): Promise<void> {
    let count = 0;
    await waitFor(what, async () => {
      assert.equal(await listener.deliver(`r-${(count += 1)}`, '{"run_id":"genuine"}'), 200);
      return isSo();
    });
  }

  it('with a large body in chunks of one byte: takes it, and deliveries beside it', async () => {
    // The largest takes more than ten seconds, and took 4 GB; this one took 800 MB.
    strangers.sendByteByByte(1, 2 << 20);
    await deliverUntil('the answer', () => strangers.answers[0] !== '');
    assert.match(strangers.answers[0] ?? '', /^HTTP\/1\.1 401 /);
    const took = listener.peakMemoryMb();
    assert.ok(took < mostMb, `${took} MB`);
  });

  for (const [title, hold] of [
    [
      'with 120 bodies of a known length that are never whole: holds few, and takes deliveries',
      () => strangers.hold(120, largest, largest - 1),
    ],
    [
      'with 120 bodies of an unknown length that are never whole: holds few, and takes deliveries',
      () => strangers.holdChunked(120, largest - 1),
    ],
  ] as const) {
    it(title, async () => {
      hold();
      await deliverUntil('their end', () => strangers.open < 60);
      assert.ok(
        strangers.answers.every((text) => text === ''),
        'they were answered',
      );
      const took = listener.peakMemoryMb();
      assert.ok(took < mostMb, `${took} MB`);
      assert.equal(await listener.deliver('large', 'x'.repeat(largest)), 200);
    });
  }

  it('with large deliveries while the local app takes its time: holds few of their bodies', async () => {
    const app = await Receiver.start();
    try {
      let asked = 0;
      const held: ServerResponse[] = [];
      app.raw = (_, response) => {
        asked += 1;
        held.push(response);
      };
      await listener.kill();
      await start({ forwardTo: app.url, forwardMode: 'passThrough' });
      const bodies = Array.from({ length: 10 }, (_, index) => String(index).padEnd(largest, 'x'));
      const sent: Promise<number>[] = [];
      for (const [index, body] of bodies.entries()) {
        sent.push(listener.deliver(`large-${index}`, body));
        // Signing takes a while: what was begun before is sent meanwhile, or the listener takes it for too slow.
        await nextTurn();
      }
      const answers = Promise.all(sent);
      await Promise.race([answers, waitFor('the first of them in the app', () => asked === 6)]);
      await Promise.race([answers, waitFor('all of them on the disk', () => bytesIn(folder) > 10 * largest)]);
      const took = listener.peakMemoryMb();
      assert.ok(took < mostMb, `${took} MB`);
      assert.equal(asked, 6, 'no more than 64 MB of bodies are forwarded at a time');
      app.raw = (_, response) => response.writeHead(204).end();
      for (const response of held) response.writeHead(204).end();
      assert.deepEqual(new Set(await answers), new Set([204]));
    } finally {
      await app.close();
    }
  });
});

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((one) => one.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
