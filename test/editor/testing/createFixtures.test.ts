import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { whenFixture } from '../../../src/editor/activation/hasWork.ts';
import { command, deliveries, eventually } from '../../support/editor/inEditor.ts';

describe('the first fixtures of an app', () => {
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.runhook', 'fixtures');
  const read = async (uri: string) =>
    JSON.parse(Buffer.from(await vscode.workspace.fs.readFile(vscode.Uri.parse(uri))).toString()) as {
      body: unknown;
    };

  afterEach(async () => {
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await command('stopListener');
    await command('clearDeliveries');
  });

  it('are written once, with the body of a delivery, and let Runhook load in a window that has them', async () => {
    await command('clearDeliveries');
    await command('startListener', {});
    await command('sendTestDelivery', { body: { run_id: 'run-real', name: 'private' } });
    const id = await eventually(async () => (await deliveries())[0]?.id);
    const { files } = await command<{ files: string[] }>('createFixtures', { id, appName: 'pay' });
    assert.deepEqual(
      files.map((file) => file.slice(file.lastIndexOf('/') + 1)),
      ['ok', 'repeat', 'bad-signature', 'stale', 'malformed'].map((name) => `pay-${name}.delivery.json`),
    );
    assert.deepEqual((await read(files[0]!)).body, { run_id: 'run-real', name: 'private' });
    assert.deepEqual(await command('createFixtures', { id, appName: 'pay' }), { files: [] });
    const calls: string[] = [];
    const ended = whenFixture(() => calls.push('after its end'));
    ended.dispose();
    const look = whenFixture(() => calls.push('once'));
    // It is opened, and is found.
    await vscode.workspace.openTextDocument(vscode.Uri.parse(files[0]!));
    await eventually(() => (calls.includes('once') ? true : undefined));
    const last = whenFixture(() => calls.push('last'));
    await eventually(() => (calls.includes('last') ? true : undefined));
    for (const one of [look, last]) one.dispose();
    assert.deepEqual(calls, ['once', 'last']);
  });

  it('have the fields of the sandbox where nothing of the app has arrived', async () => {
    const { files } = await command<{ files: string[] }>('createFixtures', { appName: 'never ran' });
    const { body } = await read(files[0]!);
    assert.deepEqual(Object.keys(body as object), ['run_id', 'app_name', 'status', 'result', 'timestamp']);
  });
});
