import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keptIn } from '../../soak/keptRecords.ts';
import { ListenerProcess } from '../../support/listenerProcess.ts';
import { waitFor } from '../../support/waitFor.ts';

/** `RUNHOOK_CRASH_ROUNDS=50 npm run test:unit -- --grep SIGKILL` runs it at length. */
const rounds = Number(process.env['RUNHOOK_CRASH_ROUNDS'] ?? 4);
const connections = 16;

describe('a listener whose process ends', () => {
  let folder: string;
  let listener: ListenerProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-crash-'));
  });
  afterEach(async () => {
    await listener?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`by SIGKILL, ${rounds} times at a random moment: has kept all that it acknowledged, and nothing twice`, async function () {
    this.timeout(rounds * 10_000);
    const acknowledged = new Map<string, string>();
    for (let round = 0; round < rounds; round += 1) {
      const current = (listener = await ListenerProcess.start(folder));
      let running = true;
      const sender = async (connection: number): Promise<void> => {
        for (let count = 0; running; count += 1) {
          const requestId = `${round}-${connection}-${count}`;
          const body = JSON.stringify({ run_id: requestId, filler: 'x'.repeat(Math.random() * 3000) });
          const status = await current.deliver(requestId, body).catch(() => undefined);
          if (status !== undefined) assert.equal(status, 200);
          if (status === 200) acknowledged.set(requestId, body);
        }
      };
      const senders = Array.from({ length: connections }, (_, connection) => sender(connection));
      const enough = (round + 1) * connections;
      await waitFor('answers in this round', () => acknowledged.size > enough);
      await pause(Math.random() * 300);
      await current.kill();
      running = false;
      await Promise.all(senders);
    }
    const kept = keptIn(folder);
    const bodies = new Map(kept.map(({ requestId = '', body }) => [requestId, body]));
    assert.equal(bodies.size, kept.length, 'a delivery is kept twice');
    for (const [requestId, body] of acknowledged) assert.equal(bodies.get(requestId), body, requestId);
    assert.ok(kept.every(({ verdict }) => verdict === 'verified'));
  });

  it('and one whose disk takes no more: gives no answer to what it cannot keep, and goes on', async () => {
    // The file for small deliveries is of 1 MiB and fits; that for one of 1 MiB with its headers does not.
    listener = await ListenerProcess.start(folder, { largestFileKb: 1024 });
    assert.equal(await listener.deliver('r-1', 'small'), 200);
    await assert.rejects(listener.deliver('r-2', 'x'.repeat(1 << 20)), { code: 'ECONNRESET' });
    assert.equal(await listener.deliver('r-3', 'small'), 200);
    await listener.kill();
    const kept = keptIn(folder).map(({ requestId }) => requestId);
    assert.deepEqual(kept, ['r-1', 'r-3']);
  });
});
