import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RunhookApi } from '../../src/api.ts';
import { answerPrompts, command, deliveries, setSetting } from '../support/editor/inEditor.ts';
import { Receiver } from '../support/http/receiver.ts';

const project = {
  id: 'p-others',
  serviceAccounts: [{ id: 'live', environment: 'prod' }],
  apps: [{ id: 'a-others', name: 'others' }],
};
const account = { projectId: project.id, serviceAccountId: 'live' };
const run = { projectId: project.id, appName: 'others' };
const apply = { projectId: project.id, appId: 'a-others', settings: { gpuCount: 1 } };
const token = 'the-token-of-the-user-alone';
const secret = 'the-secret-of-the-user-alone';
/** Of a network that is nobody's (RFC 5737): nothing could answer there. */
const stranger = 'http://192.0.2.3/collect';

describe('another extension', () => {
  let service: Receiver;

  before(async () => {
    service = await Receiver.start();
    service.otherwise = ({ headers }, response) => {
      const echo = [{ id: 'k-1', name: `${headers.authorization} ${String(headers['x-webhook-secret'])}` }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(echo));
    };
    await setSetting('baseUrl', service.url);
    await setSetting('proxyUrl', service.url);
    await command('addProject', project);
    await command('setWebhookSecret', { secret });
  });
  beforeEach(() => service.received.splice(0));
  afterEach(() => answerPrompts());
  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await command('removeProject', { projectId: project.id });
    for (const id of ['baseUrl', 'proxyUrl', 'projects']) await setSetting(id, undefined);
    await service.close();
  });

  it('gets neither a token nor a secret from what it calls or from the API', async () => {
    const told = [
      await command('setToken', { ...account, token }),
      await command('addServiceAccount', { projectId: project.id, id: 'more', token }),
      await command('setWebhookSecret', { projectId: project.id, secret }),
      await command('listKeys', account),
      await command('runApp', { ...run, webhook: true, quiet: true, confirmed: true }),
      await command('applyAppSettings', { ...apply, confirmed: true }),
      await command('startListener'),
      await command('sendTestDelivery'),
    ];
    const [delivery] = await deliveries();
    const { id } = delivery!;
    told.push(
      await command('listDeliveries'),
      await command('explainDelivery', { id }),
      await command('copyDeliveryAsCurl', { id }),
      await command('replayDelivery', { id }),
    );
    const api = await vscode.extensions.getExtension<RunhookApi>('runhook.runhook')!.activate();
    told.push(api.listenerState, await api.listDeliveries(), Object.keys(api).sort());
    assert.doesNotMatch(JSON.stringify(told), /of-the-user-alone/);
    assert.deepEqual(told.at(-1), ['listDeliveries', 'listenerState', 'onDidReceiveDelivery', 'version']);
  });

  it('is asked for by Runhook, under prod, unless it says that the user has agreed', async () => {
    for (const [name, argument] of [
      ['runApp', { ...run, quiet: true }],
      ['applyAppSettings', apply],
    ] as const) {
      await answerPrompts(false);
      await assert.rejects(command(name, argument), /not confirmed/);
      assert.deepEqual(await answerPrompts(), [], 'the user was asked');
      assert.equal(service.received.length, 0);
      await answerPrompts(false);
      await command(name, { ...argument, confirmed: true });
      assert.deepEqual(await answerPrompts(), [false], 'nobody was asked');
      assert.equal(service.received.splice(0).length, 1);
    }
  });

  it('has nothing sent to another machine by saying that the user has agreed to it', async () => {
    await command('sendTestDelivery');
    const [delivery] = await deliveries();
    for (const [name, argument] of [
      ['sendTestDelivery', { to: stranger }],
      ['replayDelivery', { id: delivery!.id, to: stranger }],
      ['replayDelivery', { id: delivery!.id, to: stranger, resign: true }],
    ] as const) {
      await answerPrompts(false);
      await assert.rejects(command(name, { ...argument, confirmed: true }), /Nothing was sent/);
      assert.deepEqual(await answerPrompts(), [], 'the user was asked');
    }
  });

  it('takes the webhook secret, by a command or by way of the clipboard', async () => {
    const { id: projectId } = project;
    await command('setWebhookSecret', { projectId, secret });
    await command('copyWebhookSecret', { projectId });
    assert.equal(await vscode.env.clipboard.readText(), secret);
    assert.equal(await command('webhookSecret', { projectId }), secret);
  });
});
