import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/model/deliveries/delivery.ts';
import { answerPrompts, command, deliveries, eventually } from '../../support/editor/inEditor.ts';

const real = {
  run_id: 'run-real',
  event: 'run.completed',
  output: { text: 'private' },
  timestamp: 1_767_323_045,
};

describe('a delivery as the shape of what the sandbox sends', () => {
  let projectId: string;
  let id: string;

  const delivered = async (): Promise<Record<string, unknown>> => {
    const call = { projectId, appName: 'hello', body: { n: 1 }, webhook: true, quiet: true };
    const { runId } = await command<{ runId: string }>('runApp', call);
    const found = await eventually<Delivery>(async () =>
      (await deliveries()).find((one) => one.runId === runId),
    );
    assert.equal(found.verdict, 'verified');
    return JSON.parse(found.body) as Record<string, unknown>;
  };

  before(async () => {
    await command('clearDeliveries');
    ({ projectId } = await command<{ projectId: string }>('startSandbox', {}));
    await command('startListener', {});
    await command('sendTestDelivery', { body: real });
    id = (
      await eventually<Delivery>(async () => (await deliveries()).find((one) => one.runId === 'run-real'))
    ).id;
  });
  after(async () => {
    await command('stopSandbox');
    await command('stopListener');
    await command('clearDeliveries');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is kept for the app that is chosen, over a restart, until it is forgotten', async () => {
    await answerPrompts('hello');
    assert.deepEqual(await command('useAsSandboxShape', { id }), { appName: 'hello' });
    const sent = await delivered();
    assert.deepEqual(Object.keys(sent), Object.keys(real));
    assert.equal(sent['event'], 'run.completed');
    assert.equal((sent['output'] as { text: unknown }).text, 'text');
    await command('stopSandbox');
    await command('startSandbox', {});
    assert.deepEqual(Object.keys(await delivered()), Object.keys(real));
    assert.deepEqual(await command('forgetSandboxShape', { appName: 'hello' }), { appName: 'hello' });
    assert.deepEqual(Object.keys(await delivered()), ['run_id', 'app_name', 'status', 'result', 'timestamp']);
  });

  it('is none where its body is no object of JSON', async () => {
    await command('sendTestDelivery', { body: [1, 2] });
    const list = await eventually<Delivery>(async () =>
      (await deliveries()).find((one) => one.body === '[1,2]'),
    );
    await assert.rejects(
      async () => command('useAsSandboxShape', { id: list.id, appName: 'hello' }),
      /Only a body that is an object of JSON/,
    );
  });
});
