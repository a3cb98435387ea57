import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { answerPrompts, command, deliveries, eventually } from '../../support/editor/inEditor.ts';

describe('what signs the webhook of a run', () => {
  let app: { projectId: string; appName: string };
  let project: { projectId: string };

  const deliveryOf = (runId: string | undefined): Promise<Delivery> =>
    eventually(async () => (await deliveries()).find((delivery) => delivery.runId === runId));
  const delivered = async (argument: object = {}): Promise<Delivery> => {
    const { runId } = await command<{ runId?: string }>('runApp', {
      ...app,
      webhook: true,
      quiet: true,
      ...argument,
    });
    assert.ok(runId);
    return deliveryOf(runId);
  };

  before(async () => {
    const { projectId } = await command<{ projectId: string }>('startSandbox');
    project = { projectId };
    app = { projectId, appName: 'echo' };
    await command('setWebhookSecret', { secret: 'for all' });
  });
  afterEach(async () => {
    for (const scope of [app, project]) await command('removeWebhookSecret', scope);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(async () => {
    await command('stopListener');
    await command('stopSandbox');
  });

  it('is the secret of the app, else that of its project, else the default one', async () => {
    assert.equal((await delivered()).reason, undefined);
    await command('setWebhookSecret', { ...project, secret: 'of the project' });
    assert.equal((await delivered()).reason, 'signed with the secret of the project Sandbox');
    await command('setWebhookSecret', { ...app, secret: 'of the app' });
    const own = await delivered();
    assert.equal(own.verdict, 'verified');
    assert.equal(own.reason, 'signed with the secret of echo');
    assert.match((await delivered({ appName: 'sleep' })).reason ?? '', /project Sandbox/);
  });

  it('is nothing where the run goes unsigned: the delivery is shown, and refused', async () => {
    const { verdict, answered, headers } = await delivered({ secret: false });
    assert.deepEqual([verdict, answered], ['unsigned', 401]);
    assert.equal(headers['x-service-webhook-signature'], undefined);
  });

  it('is a secret of this run alone, which verifies its delivery and signs no other', async () => {
    const { verdict, reason } = await delivered({ secret: 'for this run' });
    assert.equal(verdict, 'verified');
    assert.equal(reason, 'signed with the one-time secret for echo');
    const { url } = await command<{ url: string }>('startListener');
    assert.equal((await delivered({ webhook: url, secret: 'at an address' })).verdict, 'verified');
    const next = await delivered();
    assert.deepEqual([next.verdict, next.reason], ['verified', undefined]);
    await command('copyWebhookSecret', app);
    assert.equal(await vscode.env.clipboard.readText(), 'for all');
  });

  it('is refused at once where no header can carry it', async () => {
    const refused = /cannot be sent with a run: .* Set another one, or run unsigned/;
    await assert.rejects(delivered({ secret: 'a\n' }), refused);
    await assert.rejects(delivered({ secret: '' }), /is empty/);
    await command('setWebhookSecret', { ...app, secret: ' a' });
    await assert.rejects(delivered(), refused);
    assert.equal((await delivered({ secret: false })).verdict, 'unsigned');
  });

  it('is chosen for one run, and for its repetition; a secret of one run is asked for each time', async () => {
    await command('openPayload', { ...app, name: 'signed' });
    const run = async (name: string, argument: object, ...answers: unknown[]): Promise<Delivery> => {
      await answerPrompts(...answers);
      const { runId } = await command<{ runId?: string }>(name, argument);
      assert.deepEqual(await answerPrompts(), []);
      return deliveryOf(runId);
    };
    const choose = (...way: string[]) => run('runApp', {}, 'echo', 'signed', ...way);
    assert.equal((await choose('Sign Differently…', 'Run with Webhook, Unsigned')).verdict, 'unsigned');
    assert.equal((await run('runAgain', {})).verdict, 'unsigned');
    assert.equal((await run('runPayloadWithWebhook', app)).verdict, 'verified');
    const once = 'Run with Webhook and One-Time Secret…';
    assert.match((await choose('Sign Differently…', once, 'typed')).reason ?? '', /one-time secret for echo/);
    assert.equal((await run('runAgain', {}, 'for all')).verdict, 'verified');
    assert.equal((await choose('Run with Webhook')).verdict, 'verified');
    await answerPrompts(undefined);
    await assert.rejects(command('runApp', { ...app, webhook: true, secret: '\n' }), /is empty/);
    await answerPrompts();
  });
});
