import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../../src/api.ts';
import type { Delivery } from '../../../src/model/delivery.ts';

interface SandboxInfo {
  projectId: string;
  proxyUrl: string;
  apps: { id: string; name: string }[];
}
interface RunResult {
  status: number;
  headers: Record<string, string>;
  body: unknown;
  runId?: string;
}

const run = async (argument: object): Promise<RunResult> =>
  vscode.commands.executeCommand('runhook.runApp', argument);

describe('runhook.runApp against the sandbox', () => {
  let sandbox: SandboxInfo;
  let app: { projectId: string; appName: string };

  before(async () => {
    sandbox = await vscode.commands.executeCommand('runhook.startSandbox');
    app = { projectId: sandbox.projectId, appName: 'echo' };
  });
  after(async () => {
    await vscode.commands.executeCommand('runhook.stopListener');
    await vscode.commands.executeCommand('runhook.stopSandbox');
  });

  it('returns status, headers, the JSON body and the run id', async () => {
    const result = await run({ ...app, body: { text: 'hé' } });
    assert.equal(result.status, 200);
    assert.match(result.headers['content-type'] ?? '', /json/);
    assert.match(JSON.stringify(result.body), /hé/);
    assert.equal(typeof result.runId, 'string');
  });

  it('delivers to the listener, signed with its secret, and the delivery names the run', async () => {
    const { runId } = await run({ ...app, body: { n: 1 }, webhook: true });
    const delivery = await deliveryOf(runId);
    assert.equal(delivery.verdict, 'verified');
    assert.equal(delivery.appName, 'echo');
    assert.equal(delivery.answered, 200);
  });

  it('takes an address as the webhook, with the secret of the listener', async () => {
    const { url } = await vscode.commands.executeCommand<{ url: string }>('runhook.startListener');
    const { runId } = await run({ ...app, webhook: `${url}given?a=b%20c&d=1` });
    const delivery = await deliveryOf(runId);
    assert.equal(delivery.verdict, 'verified');
    assert.equal(delivery.path, '/given?a=b%20c&d=1');
  });

  const rejected: [string, object, RegExp][] = [
    ['an unknown project', { projectId: 'nowhere' }, /nowhere/],
    ['an unknown app', { appName: 'nobody' }, /nobody/],
    ['a websocket', { webhook: 'wss://me.example/hook' }, /HTTP requests only/],
    ['a websocket at this machine', { webhook: 'ws://127.0.0.1:1/' }, /HTTP requests only/],
    ['an address that is none', { webhook: 'hook' }, /not an http or https address/],
    ['a path out of the app', { path: '../other/run' }, /leaves the app/],
  ];
  for (const [what, part, reason] of rejected) {
    it(`rejects ${what}`, async () => {
      await assert.rejects(run({ ...app, ...part }), reason);
    });
  }

  it('returns the status of an app that fails', async () => {
    const { status } = await run({ ...app, appName: 'fail' });
    assert.ok(status >= 400, String(status));
  });
});

/** The delivery of a run, once it is there. */
async function deliveryOf(runId: string | undefined): Promise<Delivery> {
  assert.ok(runId);
  const api = vscode.extensions.getExtension<RunhookApi>('runhook.runhook');
  for (let waited = 0; waited < 10_000; waited += 25) {
    const deliveries = await (await api!.activate()).listDeliveries();
    const found = deliveries.find((delivery) => delivery.runId === runId);
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`No delivery of ${runId} arrived.`);
}
