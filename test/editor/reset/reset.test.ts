import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../../src/api.ts';
import { answerPromptsCommand } from '../../../src/editor/kit/scriptedPrompts.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';
import { command, eventually, setSetting, shownMessages } from '../../support/editor/inEditor.ts';

const answers = async (given: unknown[]): Promise<unknown[]> =>
  vscode.commands.executeCommand(answerPromptsCommand, given);

describe('Reset Runhook', () => {
  const service = new SandboxGate();
  const project = {
    id: 'p-sandbox',
    serviceAccounts: [{ id: 'sa-ci' }, { id: 'release' }],
    apps: [{ id: 'hello' }],
  };
  const account = { projectId: project.id, serviceAccountId: 'sa-ci' };
  const secret = 'the secret that goes';
  let payload: vscode.Uri;

  before(async () => {
    const { baseUrl, proxyUrl } = await service.start();
    await setSetting('baseUrl', baseUrl);
    await setSetting('proxyUrl', proxyUrl);
  });
  after(async () => {
    await answers([]);
    await service.stop();
    for (const id of ['projects', 'baseUrl', 'proxyUrl']) await setSetting(id, undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(payload, '..'), { recursive: true });
  });

  beforeEach(async () => {
    await setSetting('projects', [project]);
    await command('setToken', { ...account, token: service.address.token });
    await command('setWebhookSecret', { secret });
    await command('startListener', { port: 0 });
    await command('sendTestDelivery', {});
    payload = vscode.Uri.parse(
      await command<string>('openPayload', { projectId: project.id, appName: 'hello', name: 'mine' }),
    );
  });

  it('asks first, and leaves everything as it is after a no', async () => {
    await answers([false]);
    await assert.rejects(command('reset', {}), /Nothing was removed/);
    assert.equal((await command<object[]>('listDeliveries')).length > 0, true);
    await command('listKeys', account);
    assert.ok(existsSync(payload.fsPath));
  });

  it('removes tokens, secrets and deliveries, and says that settings and files of the workspace stay', async () => {
    await answers([true]);
    const left = await command<{ settings: string[] }>('reset', {});
    assert.deepEqual(await answers([]), [], 'the question was asked');
    assert.ok(left.settings.includes('runhook.baseUrl') && left.settings.includes('runhook.projects'));

    await assert.rejects(command('listKeys', account), /No token is stored/);
    await command('copyWebhookSecret');
    assert.notEqual(await vscode.env.clipboard.readText(), secret);
    assert.deepEqual(await command('listDeliveries'), []);
    assert.ok(existsSync(payload.fsPath));
  });

  it('asks nothing where the caller has said so, and listens no longer', async () => {
    await command('reset', { confirmed: true });
    const api = vscode.extensions.getExtension<RunhookApi>('runhook.runhook')?.exports;
    assert.equal(api?.listenerState.kind, 'stopped');
  });

  it('leaves nothing of two responses that are compared in a tab', async () => {
    const run = { projectId: project.id, appName: 'hello', path: 'run', method: 'POST', body: {} };
    for (let times = 0; times < 2; times += 1) await command('runApp', { ...run, webhook: false });
    const { ids } = await command<{ ids: string[] }>('compareWithPreviousRun');
    const compared = () =>
      vscode.workspace.textDocuments
        .filter(({ uri }) => uri.path.startsWith('/runhook/body/') && ids.includes(uri.query.split('&')[0]!))
        .map((one) => one.getText());
    await eventually(() => compared().length === 2 || undefined);
    await command('reset', { confirmed: true });
    await eventually(
      () => compared().every((text) => text === 'This response is no longer kept.') || undefined,
    );
  });

  it('first cancels the runs in progress, quietly, and what comes of them later is kept no more', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    service.change = async (answer, { url }) => {
      if (url.includes('/run')) await promise;
      return answer;
    };
    await shownMessages();
    const { length } = service.requests;
    const run = { projectId: project.id, appName: 'hello', path: 'run', method: 'POST', body: {} };
    const runs = [
      command('runApp', { ...run, webhook: true }),
      command('runApp', { ...run, webhook: 'here' }),
      command('runApp', { ...run, webhook: 'here', quiet: true }),
    ].map((one) => one.then(() => 'answered', String));
    await eventually(() => (service.requests.length >= length + runs.length ? true : undefined));
    await command('reset', { confirmed: true });
    try {
      assert.equal(await command('cancelRun', {}), 0);
      for (const said of await Promise.all(runs)) assert.match(said, /The run was cancelled/);
      assert.deepEqual(await shownMessages(), []);
      const responses = () =>
        vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'runhook-answer');
      assert.ok(responses().length > 0);
      await eventually(
        () => responses().every((one) => one.getText() === 'This response is no longer kept.') || undefined,
      );
    } finally {
      resolve(undefined);
      service.reset();
    }
  });

  it('cancels what is being delivered here, quietly', async () => {
    await command('setNextResponses', { response: 'hang', times: 3 });
    await shownMessages();
    const run = { projectId: project.id, appName: 'hello', path: 'run', method: 'POST', body: {} };
    const made = command('runApp', { ...run, webhook: 'here' }).then(() => 'delivered', String);
    await eventually(() =>
      vscode.workspace.textDocuments.some((one) => /^200 OK/.test(one.getText())) ? true : undefined,
    );
    await command('reset', { confirmed: true });
    assert.match(await made, /The run was cancelled/);
    assert.deepEqual(await shownMessages(), []);
  });

  it('forgets the runs: one that was cancelled is no longer taken for that of a delivery', async () => {
    const run = {
      projectId: project.id,
      appName: 'hello',
      path: 'run',
      method: 'POST',
      body: {},
      webhook: true,
    };
    await command('setToken', { ...account, token: service.address.token });
    const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
    service.change = (answer, { url }) => {
      if (!url.includes('/run')) return answer;
      reach(undefined);
      return new Promise(() => undefined);
    };
    const cancelled = command('runApp', run).catch(String);
    await reached;
    await command('reset', { confirmed: true });
    await cancelled;
    const response = { text: 'good morning to all of you' };
    service.change = (answer, { url }) =>
      url.includes('/run') ? { status: 200, headers: [], body: JSON.stringify(response) } : answer;
    await command('setToken', { ...account, token: service.address.token });
    await command('runApp', run);
    await command('sendTestDelivery', { body: { response } });
    await eventually(async () => {
      const [delivery] = await command<{ appName?: string }[]>('listDeliveries');
      return delivery?.appName === 'hello' ? true : undefined;
    });
    service.reset();
    await command('reset', { confirmed: true });
  });

  it('leaves Runhook as new: all of it works again', async () => {
    await command('reset', { confirmed: true });
    await command('startListener', { port: 0 });
    assert.equal((await command<{ status: number }>('sendTestDelivery', {})).status, 200);
    assert.equal((await command<object[]>('listDeliveries')).length, 1);
    await command('setToken', { ...account, token: service.address.token });
    await command('listKeys', account);
    await command('reset', { confirmed: true });
  });
});
