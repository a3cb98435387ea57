import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Delivery } from '../../src/contract/delivery.ts';
import { heartbeatMs } from '../../src/deliveries/relayProtocol.ts';
import { sign } from '../../src/service/signature/signature.ts';
import { listenerPrograms } from '../support/listener/listenerPrograms.ts';
import { hasNats, NatsServer } from '../support/relay/natsServer.ts';
import { type RunningRelay, startRelay } from '../support/relay/relayRig.ts';
import { waitFor } from '../support/time/waitFor.ts';
import type { Bridge } from '../support/workbench/bridgedSession.ts';
import { useBridgedWorkbench } from '../support/workbench/useBridgedWorkbench.ts';

const secret = 'the secret of the relay';
/**
 * How long the machine sleeps, and after what part of that a delivery that was not acknowledged comes again. Both are a tenth
 * of what they are for users; `RUNHOOK_ASLEEP_SECONDS=60 npm run test:ui -- --grep sleeps` takes a whole minute.
 */
const asleepMs = 1000 * Number(process.env['RUNHOOK_ASLEEP_SECONDS'] ?? 6);
const limits = { ackMs: asleepMs / 2 };

/** Posts a signed delivery, as the service does. */
async function post(address: string, requestId: string): Promise<number> {
  const body = `{"run_id":"${requestId}"}`;
  const timestamp = Math.floor(Date.now() / 1000).toString();
  const headers = {
    'X-Request-Id': requestId,
    'X-Service-Webhook-Timestamp': timestamp,
    'X-Service-Webhook-Signature': `v1,${sign(secret, requestId, timestamp, Buffer.from(body))}`,
  };
  return (await fetch(address, { method: 'POST', headers, body })).status;
}

function relayTests(): void {
  let nats: NatsServer;
  let running: RunningRelay;
  const settings: Record<string, unknown> = {};
  before(async () => {
    nats = await NatsServer.start();
    running = await startRelay([nats.url], { limits });
    settings['runhook.relay.url'] = running.url;
    settings['runhook.tunnel.provider'] = 'relay';
  });
  after(async () => {
    await running.relay.end();
    await nats.remove();
  });
  const ui = useBridgedWorkbench({ settings });
  let bridge: Bridge;
  let publicUrl = '';
  const list = () => bridge.command<Delivery[]>('listDeliveries');

  it('Open Tunnel reads from it, and a run on the sandbox is delivered by its address', async () => {
    const { workbench } = ui.current;
    ({ bridge } = ui.current);
    await bridge.command('setWebhookSecret', { secret });
    const { projectId } = await bridge.command<{ projectId: string }>('startSandbox');
    await workbench.runCommand('Runhook: Open Tunnel');
    await workbench.statusBarItem(/via relay/).waitFor();
    await workbench.runCommand('Runhook: Show Deliveries Output');
    await workbench.outputLine(/^Runhook listens on .*, public as /);
    const lines = await workbench.outputLines();
    assert.ok(!lines.some((line) => line.includes('this machine only')), lines.join('\n'));
    ({ publicUrl } = await bridge.command<{ publicUrl: string }>('openTunnel'));
    assert.ok(publicUrl.startsWith(`${running.url}/in/`));
    await bridge.command('runApp', { projectId, appName: 'echo', body: {}, webhook: publicUrl });
    const [delivery] = await waitFor('the delivery', async () => {
      const all = await list();
      return all.length > 0 ? all : undefined;
    });
    assert.equal(delivery?.verdict, 'verified');
    assert.deepEqual(
      await bridge.command('checkPublicUrl').then((found) => (found as { ok: boolean }).ok),
      true,
    );
    await bridge.command('clearDeliveries');
  });

  it('comes back with the same address when the listener is started again', async () => {
    const { workbench, session } = ui.current;
    const programs = () => listenerPrograms(session.server.dataFolder);
    // It answers before it ends.
    const stopped = await programs();
    await bridge.command('stopListener');
    await workbench.statusBarItem(/via relay/).waitFor({ state: 'hidden' });
    // Nor is a program started that reads from the relay, which the window would not tell of.
    for (let look = 0; look < 20; look += 1) {
      assert.deepEqual(
        (await programs()).filter((one) => !stopped.includes(one)),
        [],
      );
      await pause(100);
    }
    await waitFor('the end of the program', async () => (await programs()).length === 0);
    await bridge.command('startListener');
    await workbench.statusBarItem(/via relay/).waitFor();
    assert.deepEqual(await bridge.command('openTunnel'), { publicUrl });
  });

  it('is said to be away, and what is posted meanwhile to another relay arrives', async () => {
    const { workbench } = ui.current;
    const { port } = running.relay;
    await running.relay.end();
    const away = workbench.statusBarItem(/via relay/).locator('.codicon-debug-disconnect');
    await away.waitFor();
    // The view says so as well.
    await workbench.runCommand('Runhook: Show Deliveries Output');
    await workbench.outputLine(/The relay is not available/);
    await workbench.tree('Deliveries').open();
    await workbench.page.locator('.message', { hasText: 'The relay is not available' }).first().waitFor();
    await workbench.picture('relay away');
    running = await startRelay([nats.url], { port, limits });
    await waitFor('the post', async () => (await post(publicUrl, 'meanwhile')) === 200);
    await away.waitFor({ state: 'hidden' });
    await waitFor('the delivery', async () =>
      (await list()).some(({ requestId }) => requestId === 'meanwhile'),
    );
    await bridge.command('clearDeliveries');
  });

  it('keeps what comes while the window is closed and the machine sleeps: ten rows, verified, with how long they waited', async () => {
    const { workbench, session } = ui.current;
    const [program] = await listenerPrograms(session.server.dataFolder);
    assert.ok(program !== undefined);
    const { href } = new URL(workbench.page.url());
    await workbench.page.goto('about:blank');
    process.kill(program, 'SIGSTOP');
    try {
      for (let at = 0; at < 10; at += 1) assert.equal(await post(publicUrl, `asleep-${at}`), 200);
      await pause(asleepMs);
    } finally {
      process.kill(program, 'SIGCONT');
    }
    await workbench.page.goto(href);
    await workbench.ready();
    bridge = await waitFor('the extension host', () => session.runningBridge(new Set([bridge.pid])));
    await workbench.statusBarItem(/via relay/).waitFor();
    await workbench.runCommand('Runhook: Show Deliveries Output');
    const rows = await waitFor('ten rows', async () => {
      const found = await workbench.tree('Deliveries').rows();
      return found.length === 10 ? found : undefined;
    });
    assert.equal(rows.length, 10);
    // Of those that stand in a narrow side bar all is to be read.
    await workbench.resizeSideBar(290);
    const narrow = await waitFor('rows', async () => {
      const found = await workbench.tree('Deliveries').visibleRows();
      return found.length > 0 ? found : undefined;
    });
    for (const { description } of narrow)
      assert.match(description, /^verified · waited \d+ s · (?:now|\d+ min)$/);
    const kept = await list();
    assert.deepEqual(new Set(kept.map(({ verdict }) => verdict)), new Set(['verified']));
    const listed = kept.map(({ requestId }) => requestId);
    const posted = Array.from({ length: 10 }, (_, at) => `asleep-${9 - at}`);
    assert.deepEqual(listed.toSorted(), posted.toSorted());
    // A reader that slept longer comes anew, and nats-server 2.9 then hands the first one over 30 s after the others.
    if (asleepMs < 3 * heartbeatMs) assert.deepEqual(listed, posted);
    await workbench.pictures('relay');
  });
}

if (hasNats) describe('a relay on the screen', relayTests);
else
  describe('a relay on the screen (not run: this machine has no nats-server)', () => it('needs nats-server'));
