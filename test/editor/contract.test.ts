import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import * as vscode from 'vscode';
import { commandIds } from '../../src/contract/commands.ts';
import type { RunhookApi } from '../../src/api.ts';
import type { WholeDelivery } from '../../src/contract/delivery.ts';

/**
 * The public contract (design, section 4) as other extensions and keybindings see it: commands called with
 * one argument object, plain JSON back, an Error with a readable message otherwise.
 */
const run = <T>(command: string, argument?: object): Thenable<T> =>
  argument === undefined
    ? vscode.commands.executeCommand<T>(command)
    : vscode.commands.executeCommand<T>(command, argument);

interface SandboxAnswer {
  baseUrl: string;
  proxyUrl: string;
  projectId: string;
  serviceAccountId: string;
  apps: { id: string; name: string }[];
}

describe('the public contract', () => {
  let sandbox: SandboxAnswer;
  let listener: { port: number; url: string };
  let api: RunhookApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<RunhookApi>('runhook.runhook');
    assert.ok(extension);
    api = await extension.activate();
    sandbox = await run('runhook.startSandbox', {});
    await run('runhook.setWebhookSecret', { secret: 'a secret of this test' });
    listener = await run('runhook.startListener', { port: 0 });
    await run('runhook.clearDeliveries');
  });

  after(async () => {
    await run('runhook.stopListener');
    await run('runhook.stopSandbox');
  });

  it('registers every command', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.values(commandIds).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it('returns an API of version 1', async () => {
    assert.equal(api.version, 1);
    assert.equal(api.listenerState.kind, 'listening');
    assert.ok(Array.isArray(await api.listDeliveries()));
  });

  it('startSandbox tells addresses, project, account and apps', () => {
    assert.match(sandbox.baseUrl, /^http:\/\/127\.0\.0\.1:\d+/);
    assert.match(sandbox.proxyUrl, /^http:\/\/127\.0\.0\.1:\d+/);
    assert.ok(sandbox.apps.some((app) => app.name === 'echo' || app.name === 'hello'));
    assert.equal(JSON.stringify(sandbox).includes('token'), false);
  });

  it('listKeys lists keys with a status', async () => {
    const { projectId, serviceAccountId } = sandbox;
    const keys = await run<{ status: string }[]>('runhook.listKeys', { projectId, serviceAccountId });
    assert.ok(keys.length > 0);
    for (const { status } of keys) assert.ok(['valid', 'expiring', 'expired', 'unknown'].includes(status));
    assert.deepEqual(JSON.parse(JSON.stringify(keys)), keys);
  });

  it('applyAppSettings applies what fits', async () => {
    const [app] = sandbox.apps;
    const settings = { gpuCount: 8, cpu: '0.5', memory: '192', cooldownPeriodSeconds: 3600 };
    const answer = await run<{ applied: object }>('runhook.applyAppSettings', {
      projectId: sandbox.projectId,
      appId: app!.id,
      settings,
    });
    assert.deepEqual(answer.applied, settings);
  });

  const refused = [
    { gpuCount: 9 },
    { gpuCount: -1 },
    { gpuCount: 1.5 },
    { gpuCount: '1' },
    { cpu: 4 },
    { cpu: '100.1' },
    { memory: '193' },
    { compute: 'H100' },
    { maxReplicaCount: 0 },
    { minReplicaCount: -1 },
    { replicaConcurrency: 0 },
    { cooldownPeriodSeconds: 3601 },
    { responseGracePeriodSeconds: 0 },
    { replicas: 1 },
  ];
  for (const settings of refused) {
    it(`applyAppSettings rejects ${JSON.stringify(settings)}`, async () => {
      const [app] = sandbox.apps;
      const call = run('runhook.applyAppSettings', {
        projectId: sandbox.projectId,
        appId: app!.id,
        settings,
      });
      await assert.rejects(Promise.resolve(call), (error: Error) => error.message.length > 10);
    });
  }

  it('runApp answers, and its webhook arrives verified and joined to the run', async () => {
    const { projectId } = sandbox;
    const app = sandbox.apps.find(({ name }) => name === 'hello' || name === 'echo');
    const arrived = new Promise<WholeDelivery>((resolve) => {
      const listening = api.onDidReceiveDelivery((delivery) => {
        listening.dispose();
        resolve(delivery);
      });
    });
    const answer = await run<{ status: number; headers: object; body: unknown; runId?: string }>(
      'runhook.runApp',
      { projectId, appName: app!.name, body: { smile: 'wave' }, webhook: true, quiet: true },
    );
    assert.equal(answer.status, 200);
    assert.ok(answer.runId);
    const delivery = await arrived;
    assert.equal(delivery.verdict, 'verified');
    assert.equal(delivery.answered, 200);
    assert.equal(delivery.runId, answer.runId);
    const [newest] = await run<WholeDelivery[]>('runhook.listDeliveries', { limit: 1 });
    assert.equal(newest?.id, delivery.id);
  });

  it('the listener verifies what is signed with its secret', async () => {
    const body = '{"run_id":"r-1"}';
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const signature = createHmac('sha256', 'a secret of this test').update(`id-1.${timestamp}.${body}`);
    const response = await fetch(listener.url, {
      method: 'POST',
      body,
      headers: {
        'X-Request-Id': 'id-1',
        'X-Acme-Webhook-Timestamp': timestamp,
        'X-Acme-Webhook-Signature': `v1,${signature.digest('hex')}`,
      },
    });
    assert.equal(response.status, 200);
    const [newest] = await run<WholeDelivery[]>('runhook.listDeliveries', { limit: 1 });
    assert.equal(newest?.verdict, 'verified');
    assert.equal(newest.requestId, 'id-1');
    assert.equal(newest.body, body);
    assert.equal(newest.runId, 'r-1');
  });

  it('explains, copies and replays a delivery', async () => {
    const [newest] = await run<WholeDelivery[]>('runhook.listDeliveries', { limit: 1 });
    const id = newest!.id;
    assert.ok(await run('runhook.explainDelivery', { id }));
    assert.match(await run<string>('runhook.copyDeliveryAsCurl', { id }), /^curl /);
    const replayed = await run<{ status: number; durationMs: number }>('runhook.replayDelivery', { id });
    assert.equal(replayed.status, 200);
    assert.equal(typeof replayed.durationMs, 'number');
  });

  it('sendTestDelivery sends a signed delivery to the listener', async () => {
    const sent = await run<{ status: number }>('runhook.sendTestDelivery', { body: { hello: 'world' } });
    assert.equal(sent.status, 200);
  });

  it('sendTestDelivery has the shape of a webhook of the service', async () => {
    await run('runhook.sendTestDelivery');
    const [newest] = await run<WholeDelivery[]>('runhook.listDeliveries', { limit: 1 });
    const body = JSON.parse(newest!.body) as Record<string, unknown>;
    assert.deepEqual(Object.keys(body), ['run_id', 'app_name', 'status', 'result', 'timestamp']);
    assert.equal(newest?.runId, body['run_id']);
    assert.ok(Math.abs(Number(body['timestamp']) - Date.now() / 1000) < 60);
  });

  it('sendTestDelivery with another secret is refused', async () => {
    const sent = await run<{ status: number }>('runhook.sendTestDelivery', { body: {}, secret: 'another' });
    assert.equal(sent.status, 401);
    const [newest] = await run<WholeDelivery[]>('runhook.listDeliveries', { limit: 1 });
    assert.equal(newest?.verdict, 'mismatch');
    assert.ok(newest.reason);
  });

  it('setNextResponses decides what the listener returns next', async () => {
    await run('runhook.setNextResponses', { response: 503, times: 1 });
    const first = await run<{ status: number }>('runhook.sendTestDelivery', { body: {} });
    const second = await run<{ status: number }>('runhook.sendTestDelivery', { body: {} });
    assert.deepEqual([first.status, second.status], [503, 200]);
  });

  it('keeps projects, accounts and apps, and forgets them', async () => {
    const account = { id: 'sa-9', name: 'ci', environment: 'dev' };
    const project = await run<{ id: string }>('runhook.addProject', { id: 'p-9', name: 'Nine' });
    assert.equal(project.id, 'p-9');
    const added = await run('runhook.addServiceAccount', { projectId: 'p-9', ...account });
    assert.deepEqual(added, account);
    const app = await run('runhook.addApp', { projectId: 'p-9', id: 'a-9', name: 'nine' });
    assert.deepEqual(app, { id: 'a-9', name: 'nine' });
    const token = { projectId: 'p-9', serviceAccountId: 'sa-9' };
    assert.deepEqual(await run('runhook.setToken', { ...token, token: 'not-a-jwt' }), {});
    await run('runhook.useServiceAccount', token);
    await run('runhook.deleteToken', token);
    await run('runhook.removeProject', { projectId: 'p-9' });
    await assert.rejects(Promise.resolve(run('runhook.addApp', { projectId: 'p-9', id: 'x' })));
  });
});
