import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workFolder } from '../../scripts/checkout.ts';
import type { Delivery } from '../../src/contract/delivery.ts';
import type { Bridge } from '../support/workbench/bridgedSession.ts';
import { listenerPrograms } from '../support/listener/listenerPrograms.ts';
import { Random } from '../support/random/random.ts';
import { seed } from '../support/random/seed.ts';
import { Sender } from '../support/listener/sender.ts';
import { fakeTunnelProgram } from '../support/tunnels/fakeTunnelProgram.ts';
import { useBridgedWorkbench } from '../support/workbench/useBridgedWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { Workbench } from '../support/workbench/workbench.ts';

/** `RUNHOOK_CRASH_ROUNDS=50 npm run test:ui -- --grep outlives` runs it at length. */
const rounds = Number(process.env['RUNHOOK_CRASH_ROUNDS'] ?? 3);
const secret = 'the secret of the crash';
const random = new Random(seed);
const fixtures = fileURLToPath(new URL('../fixtures/tunnels', import.meta.url));

describe('a window and the listener program of its folder', function () {
  this.timeout(rounds * 180_000);
  const standIn = fakeTunnelProgram(fixtures, 'ngrok', 'opens');
  after(() => standIn.remove());
  const settings = {
    'runhook.deliveries.keep': 100_000,
    'runhook.tunnel.provider': 'ngrok',
    'runhook.tunnel.command': standIn.command,
  };
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
    return waitFor('another extension host', async () => {
      if (await ask.first().isVisible()) await ask.first().click({ timeout: 2000 });
      return session.runningBridge(ended);
    });
  }

  /** The one program of the workbench. */
  const program = (): Promise<number> =>
    waitFor('one program', async () => {
      const [pid, ...others] = await listenerPrograms(ui.current.session.server.dataFolder);
      return others.length === 0 ? pid : undefined;
    });

  it('two windows have one listener program, and show the same deliveries as they come', async () => {
    const { workbench, session } = ui.current;
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    const page = await workbench.page.context().newPage();
    await page.goto(workbench.page.url());
    const other = new Workbench(page, join(workFolder, 'screenshots'));
    await other.ready();
    const { pid } = await waitFor('its host', () => session.runningBridge(new Set([bridge.pid])));
    ended.add(pid);
    await other.statusBarItem(port.toString()).waitFor();
    const sender = new Sender(port, secret);
    const runIds = ['run-a', 'run-b', 'run-c'];
    for (const runId of runIds) {
      assert.equal(await sender.deliver(runId, JSON.stringify({ run_id: runId })), 200);
    }
    sender.close();
    for (const one of [workbench, other]) {
      await waitFor('the deliveries', async () => {
        await one.page.bringToFront();
        const rows = await one.tree('Deliveries').rows();
        return rows.map(({ label }) => label).join() === [...runIds].reverse().join();
      });
    }
    await program();
    await other.picture('two windows');
    // A reset ends the program that tells of it: neither window has rows of what is gone.
    await bridge.command('reset', { confirmed: true });
    await other.statusBarItem(port.toString()).waitFor({ state: 'hidden' });
    for (const one of [other, workbench]) {
      await one.page.bringToFront();
      await waitFor('the end of the rows', async () => (await one.tree('Deliveries').rows()).length === 0);
      await one.picture('a window after a reset');
    }
    await bridge.command('setWebhookSecret', { secret });
    await page.close();
    await workbench.page.bringToFront();
  });

  it('a program that ends by itself is started again on its port, nothing lost; the sixth time in a minute by a click', async () => {
    const { workbench } = ui.current;
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    const sender = new Sender(port, secret);
    const answered = (requestId: string): Promise<true> =>
      waitFor(`the answer to ${requestId}`, async () => {
        const status = await sender.deliver(requestId, '{}').catch(() => undefined);
        return status === 200 ? true : undefined;
      });
    await answered('r-0');
    for (let times = 1; times <= 5; times += 1) {
      process.kill(await program(), 'SIGKILL');
      await answered(`r-${times}`);
    }
    const failed = workbench.statusBarItem('Listener');
    process.kill(await program(), 'SIGKILL');
    await failed.locator('.codicon-error').waitFor();
    await workbench.picture('listener ended');
    await assert.rejects(sender.deliver('meanwhile', '{}'));
    await workbench.click(failed, workbench.statusBarItem(port.toString()));
    await answered('r-6');
    sender.close();
    const kept = await bridge.command<Delivery[]>('listDeliveries');
    assert.deepEqual(
      kept.filter(({ repeatOf }) => repeatOf === undefined).map(({ requestId }) => requestId),
      ['r-6', 'r-5', 'r-4', 'r-3', 'r-2', 'r-1', 'r-0'],
    );
  });

  it(`a program outlives its window: every delivery is answered 200 while the window is reloaded, its extension host is killed ${rounds} times, and the window is away for ten seconds`, async () => {
    const { workbench, session } = ui.current;
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    await bridge.command('clearDeliveries');
    const pid = await program();
    const tunnel = await bridge.command<{ publicUrl: string }>('openTunnel', { confirmed: true });
    // By the tunnel, which is of this machine alone.
    const sender = new Sender(Number(new URL(tunnel.publicUrl).port), secret);
    const statuses: (number | string)[] = [];
    const over = new AbortController();
    const sending = (async () => {
      while (!over.signal.aborted) {
        const requestId = `r-${statuses.length}`;
        statuses.push(await sender.deliver(requestId, `{"run_id":"${requestId}"}`).catch(String));
        await pause(50);
      }
    })();
    await workbench.page.reload();
    await workbench.ready();
    ended.add(bridge.pid);
    bridge = await restarted();
    await workbench.statusBarItem(port.toString()).waitFor();
    for (let round = 0; round < rounds; round += 1) {
      await pause(random.whole(0, 400));
      process.kill(bridge.pid, 'SIGKILL');
      ended.add(bridge.pid);
      bridge = await restarted();
      await workbench.statusBarItem(port.toString()).waitFor();
    }
    ended.add(bridge.pid);
    const { href } = new URL(workbench.page.url());
    await workbench.page.goto('about:blank');
    await pause(10_000);
    await workbench.page.goto(href);
    await workbench.ready();
    bridge = await waitFor('the extension host', () => session.runningBridge(ended));
    await workbench.statusBarItem(port.toString()).waitFor();
    over.abort();
    await sending;
    sender.close();
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal(await program(), pid, 'it is the same program all the while');
    assert.deepEqual(await bridge.command<unknown>('openTunnel'), tunnel, 'the tunnel is the same, and open');
    await bridge.command('closeTunnel');
    const kept = await bridge.command<Delivery[]>('listDeliveries', { limit: 1_000_000 });
    const expected = statuses.map((_, index) => `r-${index}`).reverse();
    assert.deepEqual(
      kept.map(({ requestId }) => requestId),
      expected,
    );
    await waitFor('the newest of them in the view', async () => {
      const rows = await workbench.tree('Deliveries').rows();
      return rows.length > 10 && rows.every(({ label }, index) => label === kept[index]?.runId);
    });
    console.log(`      ${statuses.length} sent and answered`);
  });

  it('a draft has what was typed last before its window was reloaded', async () => {
    const { workbench, session } = ui.current;
    const { page } = workbench;
    await bridge.command('setWebhookSecret', { secret });
    await bridge.command('startListener', { port: 0 });
    await bridge.command('sendTestDelivery', { body: { n: 1 } });
    const [delivery] = await bridge.command<Delivery[]>('listDeliveries');
    await bridge.command('editDelivery', { id: delivery!.id });
    const lines = page.locator('.editor-instance .view-lines');
    await lines.getByText('"n"').click();
    // The browser asks whether to leave the page with what is not saved.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.keyboard.insertText('typed last');
    await lines.getByText('typed last').waitFor();
    await page.reload();
    await workbench.ready();
    ended.add(bridge.pid);
    bridge = await waitFor('the next window', () => session.runningBridge(ended));
    await bridge.command('editDelivery', { id: delivery!.id });
    await lines.getByText('typed last').waitFor();
  });
});
