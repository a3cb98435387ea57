import assert from 'node:assert/strict';
import { Receiver } from '../support/http/receiver.ts';
import { SandboxGate } from '../support/service/sandboxGate.ts';
import { useWorkbench } from '../support/workbench/useWorkbench.ts';
import { waitFor } from '../support/time/waitFor.ts';

describe('the first delivery, though the service cannot reach this machine', () => {
  const service = new SandboxGate();
  let handler: Receiver;
  const settings: Record<string, unknown> = {};
  before(async () => {
    const { projectId, serviceAccountId } = await service.start();
    handler = await Receiver.start();
    // This machine by a name that does not say so.
    const { port } = new URL(service.address.proxyUrl);
    for (const id of ['baseUrl', 'proxyUrl']) settings[`runhook.${id}`] = `http://0.0.0.0:${port}`;
    settings['runhook.listener.forwardTo'] = handler.url;
    settings['runhook.projects'] = [
      {
        id: projectId,
        name: 'Acme',
        serviceAccounts: [{ id: serviceAccountId, name: 'ci' }],
        apps: [{ id: 'echo' }],
      },
    ];
  });
  after(async () => {
    await handler.close();
    await service.stop();
  });
  const ui = useWorkbench({ settings });

  it('is with the handler, signed, in six clicks, the token included, and says what it is', async () => {
    const { page } = ui.current;
    const tree = ui.current.tree('Projects');
    await tree.expand('Acme');
    await page.evaluate(`clicks = 0; addEventListener('mousedown', () => { clicks += 1; }, true)`);
    const began = performance.now();
    await tree.clickAction('ci', 'Set Token', ui.current.quickInput());
    await ui.current.answer(service.address.token);
    await tree.clickAction('echo', 'Run and Deliver Here', () =>
      Promise.resolve(handler.received.length > 0),
    );
    const [got] = await handler.count(1);
    const seconds = (performance.now() - began) / 1000;
    const clicks = Number(await page.evaluate('clicks'));
    assert.match(String(got!.headers['x-service-webhook-signature']), /^v1,/);
    assert.ok(clicks > 1 && clicks <= 6 && seconds <= 60, `${clicks} clicks, ${seconds} s`);
    // A moment before, the delivery waits in the handler.
    await waitFor('the row of the delivery', async () => {
      const rows = await ui.current.tree('Deliveries').rows();
      return rows.some((row) => row.label === 'echo' && /^made here · 200 ·/.test(row.description));
    });
    await ui.current.runCommand('Runhook: Show Deliveries Output');
    await ui.current.outputLine(/✎ made here\s+echo\s+run-/);
    await ui.current.pictures('made here');
  });
});
