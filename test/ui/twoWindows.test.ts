import assert from 'node:assert/strict';
import { join } from 'node:path';
import { workFolder } from '../../scripts/checkout.ts';
import { Sender } from '../support/listener/sender.ts';
import { listenerPrograms } from '../support/listener/listenerPrograms.ts';
import { useBridgedWorkbench } from '../support/workbench/useBridgedWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';
import { Workbench } from '../support/workbench/workbench.ts';

const secret = 'the secret of both';

describe('two windows of one folder', () => {
  const ui = useBridgedWorkbench();

  it('have one listener program, and show the same deliveries as they come', async () => {
    const { bridge, workbench, session } = ui.current;
    await bridge.command('setWebhookSecret', { secret });
    const { port } = await bridge.command<{ port: number }>('startListener', { port: 0 });
    const page = await workbench.page.context().newPage();
    await page.goto(workbench.page.url());
    const other = new Workbench(page, join(workFolder, 'screenshots'));
    await other.ready();
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
    assert.equal((await listenerPrograms(session.server.dataFolder)).length, 1);
    await other.picture('two windows');
    await bridge.command('stopListener');
    await other.statusBarItem(port.toString()).waitFor({ state: 'hidden' });
    await page.close();
  });
});
