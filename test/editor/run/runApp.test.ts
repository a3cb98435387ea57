import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/model/deliveries/delivery.ts';
import { answerPrompts, command, deliveries, eventually } from '../../support/inEditor.ts';

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

const run = (argument: object): Promise<RunResult> => command('runApp', argument);

describe('runhook.runApp against the sandbox', () => {
  let sandbox: SandboxInfo;
  let app: { projectId: string; appName: string };

  before(async () => {
    sandbox = await command('startSandbox');
    app = { projectId: sandbox.projectId, appName: 'echo' };
  });
  after(async () => {
    await command('stopListener');
    await command('stopSandbox');
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
    const { url } = await command<{ url: string }>('startListener');
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

  it('asks first under prod, and for a token that is missing', async () => {
    const project = {
      id: 'p-prod',
      serviceAccounts: [{ id: 'sa', environment: 'prod' }],
      apps: [{ id: 'hello' }],
    };
    await setting('proxyUrl', sandbox.proxyUrl);
    await setting('baseUrl', sandbox.proxyUrl);
    await command('addProject', project);
    try {
      const call = { projectId: 'p-prod', appName: 'hello' };
      await answerPrompts(false);
      await assert.rejects(run(call), /Run hello was not confirmed/);
      await answerPrompts(undefined);
      await assert.rejects(run({ ...call, confirmed: true }), /No token is stored/);
    } finally {
      await command('removeProject', { projectId: 'p-prod' });
      await setting('baseUrl', undefined);
      await setting('proxyUrl', undefined);
    }
  });

  it('joins each of 1,000 runs to exactly one delivery, with repeats grouped', async () => {
    await setting('deliveries.keep', 5000);
    await command('clearDeliveries');
    await command('setSandboxFaults', { faults: ['repeat'] });
    try {
      const ids: string[] = [];
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          for (let each = 0; each < 50; each += 1) ids.push((await run({ ...app, webhook: true })).runId!);
        }),
      );
      assert.equal(new Set(ids).size, 1000);
      const all = await eventually(async () => {
        const found = await deliveries();
        return found.length >= 2000 ? found : undefined;
      });
      assert.equal(all.length, 2000);
      const firsts = all.filter(({ repeatOf }) => repeatOf === undefined);
      assert.deepEqual(firsts.map(({ runId }) => runId).sort(), ids.sort());
      assert.ok(all.every(({ verdict, appName }) => verdict === 'verified' && appName === 'echo'));
      const runOf = new Map(firsts.map(({ id, runId }) => [id, runId]));
      const repeats = all.filter(({ repeatOf }) => repeatOf !== undefined);
      assert.ok(repeats.every(({ repeatOf, runId }) => runOf.get(repeatOf!) === runId));
    } finally {
      await command('setSandboxFaults', { faults: [] });
      await setting('deliveries.keep', undefined);
    }
  });

  it('returns the status of an app that fails', async () => {
    const { status } = await run({ ...app, appName: 'fail' });
    assert.ok(status >= 400, String(status));
  });
});

async function setting(id: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('runhook').update(id, value, vscode.ConfigurationTarget.Global);
}

/** The delivery of a run, once it is there. */
async function deliveryOf(runId: string | undefined): Promise<Delivery> {
  assert.ok(runId);
  return eventually(async () => (await deliveries()).find((delivery) => delivery.runId === runId));
}
