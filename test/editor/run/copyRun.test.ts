import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerPrompts, command, eventually } from '../../support/editor/inEditor.ts';

describe('runhook.copyRunAs', () => {
  let app: { projectId: string; appName: string };
  let id: string;

  before(async () => {
    const { projectId } = await command<{ projectId: string }>('startSandbox', {});
    app = { projectId, appName: 'echo' };
    await command('setWebhookSecret', { secret: 'the-secret-of-all' });
    const call = {
      ...app,
      path: 'run?q=a%20b',
      body: { n: 'the-secret-of-all' },
      webhook: true,
      quiet: true,
    };
    ({ id } = await command<{ id: string }>('runApp', call));
  });
  after(async () => {
    await command('stopListener');
    await command('stopSandbox');
  });

  it('writes the call down as it would be sent now, with no token and no secret', async () => {
    const { url } = await command<{ url: string }>('startListener', {});
    const copied = await command<string>('copyRunAs', { id, as: 'fetch' });
    const endpoint = encodeURIComponent(`${url}runhook/echo`);
    assert.ok(copied.includes(`/echo/run?q=a%20b&webhookEndpoint=${endpoint}"`), copied);
    assert.match(copied, /"authorization": "Bearer " \+ process\.env\.RUNHOOK_TOKEN,/);
    assert.match(copied, /body: "\{\\"n\\":\\"" \+ process\.env\.WEBHOOK_SECRET \+ "\\"\}",/);
    assert.doesNotMatch(copied, /the-secret|eyJ/);
    assert.equal(await vscode.env.clipboard.readText(), copied);
  });

  it('asks as what, and offers first what was chosen last', async () => {
    // What VS Code remembers may be what it was, until it has told all windows of a change just before.
    await eventually(async () => {
      await answerPrompts('Python requests');
      assert.match(await command<string>('copyRunAs', { id }), /^import os\n\nimport requests\n/);
      await answerPrompts({ kept: true });
      return (await command<string>('copyRunAs', { id })).includes('import requests') ? true : undefined;
    });
  });

  it('says so where there is no such run', async () => {
    await assert.rejects(async () => command('copyRunAs', { id: 'none' }), /run to copy was not found/);
  });
});
