import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery } from '../../src/model/delivery.ts';
import type { Bridge } from '../support/bridgedSession.ts';
import { Sender } from '../support/sender.ts';
import { useBridgedWorkbench } from '../support/useBridgedWorkbench.ts';
import { waitFor } from '../support/waitFor.ts';

/** `RUNHOOK_CRASH_ROUNDS=50 npm run test:ui -- --grep SIGKILL` runs it at length. */
const rounds = Number(process.env['RUNHOOK_CRASH_ROUNDS'] ?? 3);
const connections = 16;
const secret = 'the secret of the crash';

describe('a listener that ends', function () {
  this.timeout(30_000 + rounds * 15_000);
  const settings = { 'runhook.deliveries.keep': 1_000_000 };
  const ui = useBridgedWorkbench({ settings });
  let bridge: Bridge;
  const ended = new Set<number>();

  before(async () => {
    bridge = ui.current.bridge;
    await bridge.command('setWebhookSecret', { secret });
  });

  /** Waits until VS Code has started another extension host; after some crashes it asks before. */
  async function restarted(): Promise<Bridge> {
    const { workbench, session } = ui.current;
    const ask = workbench.page.getByRole('button', { name: /^Restart (?:Remote )?Extension Host$/ });
    return waitFor(
      'another extension host',
      async () => {
        if (await ask.first().isVisible()) await ask.first().click({ timeout: 2000 });
        return session.runningBridge(ended);
      },
      30_000,
    );
  }

  it('by itself is started again by one click: same port, nothing lost', async () => {
    const { workbench } = ui.current;
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    const sender = new Sender(port, secret);
    assert.equal(await sender.deliver('before', '{"run_id":"before"}'), 200);
    const expression = 'void setImmediate(() => { throw new Error("a fault of this test"); })';
    await bridge.call('inListenerThread', { expression });
    const failed = workbench.statusBarItem('Listener');
    await failed.locator('.codicon-error').waitFor();
    await workbench.screenshot('listener ended');
    await assert.rejects(sender.deliver('meanwhile', '{}'));
    await failed.click();
    await workbench.statusBarItem(port.toString()).waitFor();
    assert.equal(await sender.deliver('after', '{"run_id":"after"}'), 200);
    sender.close();
    const kept = await bridge.command<Delivery[]>('listDeliveries');
    assert.deepEqual(
      kept.map(({ requestId }) => requestId),
      ['after', 'before'],
    );
  });

  it(`with its extension host, by SIGKILL, ${rounds} times at a random moment under load: every delivery that got a 200 is in the view, none twice`, async () => {
    const { workbench } = ui.current;
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    await bridge.command('clearDeliveries');
    const acknowledged = new Map<string, string>();
    for (let round = 0; round < rounds; round += 1) {
      const sender = new Sender(port, secret);
      let running = true;
      const send = async (connection: number): Promise<void> => {
        for (let count = 0; running; count += 1) {
          const requestId = `${round}-${connection}-${count}`;
          const body = JSON.stringify({ run_id: requestId, filler: 'x'.repeat(Math.random() * 3000) });
          const status = await sender.deliver(requestId, body).catch(() => undefined);
          if (status === 200) acknowledged.set(requestId, body);
          else assert.equal(status, undefined);
        }
      };
      const senders = Array.from({ length: connections }, (_, connection) => send(connection));
      await pause(50 + Math.random() * 400);
      process.kill(bridge.pid, 'SIGKILL');
      ended.add(bridge.pid);
      running = false;
      await Promise.all(senders);
      sender.close();
      bridge = await restarted();
      await workbench.statusBarItem(port.toString()).waitFor();
    }
    const kept = await bridge.command<Delivery[]>('listDeliveries', { limit: 1_000_000 });
    const bodies = new Map(kept.map(({ requestId = '', body }) => [requestId, body]));
    assert.equal(bodies.size, kept.length, 'a delivery is there twice');
    for (const [requestId, body] of acknowledged) assert.equal(bodies.get(requestId), body, requestId);
    assert.ok(kept.every(({ verdict }) => verdict === 'verified'));
    assert.ok(acknowledged.size > rounds * connections, 'next to nothing was acknowledged');
    await waitFor('the newest of them in the view', async () => {
      const rows = await workbench.tree('Deliveries').rows();
      return rows.length > 10 && rows.every(({ label }, index) => label === kept[index]?.runId);
    });
    console.log(`      ${acknowledged.size} acknowledged, ${kept.length} kept`);
  });
});
