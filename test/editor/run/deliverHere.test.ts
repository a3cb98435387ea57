import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import type { MadeDelivery } from '../../../src/deliveries/listenerProtocol.ts';
import { deliverHere, type DeliverHereParts } from '../../../src/editor/run/deliverHere.ts';
import type { Run } from '../../../src/service/runs/run.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import {
  answerPrompts,
  command,
  deliveries,
  eventually,
  setSetting,
  shownMessages,
} from '../../support/editor/inEditor.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';

describe('Deliver Here', () => {
  const gate = new SandboxGate();
  let handler: Receiver;
  let app: { projectId: string; appName: string };

  before(async () => {
    // No app was run in any way yet, and none of its deliveries was compared.
    await command('reset', { confirmed: true });
    const { projectId, serviceAccountId, token } = await gate.start();
    handler = await Receiver.start();
    // This machine by a name that does not say so: the service could not reach the listener.
    const { port } = new URL(gate.address.proxyUrl);
    for (const id of ['baseUrl', 'proxyUrl']) await setSetting(id, `http://0.0.0.0:${port}`);
    const project = { id: projectId, serviceAccounts: [{ id: serviceAccountId }] };
    const apps = ['echo', 'fail'].map((id) => ({ id }));
    await setSetting('projects', [{ ...project, apps }]);
    await command('setToken', { projectId, serviceAccountId, token });
    await setSetting('listener.forwardTo', handler.url);
    app = { projectId, appName: 'echo' };
  });
  beforeEach(() => {
    handler.received.splice(0);
    handler.otherwise = 200;
  });
  after(async () => {
    await command('stopListener');
    for (const id of ['baseUrl', 'proxyUrl', 'projects', 'listener.forwardTo', 'listener.forwardMode'])
      await setSetting(id, undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const { uri } = vscode.workspace.workspaceFolders![0]!;
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, '.runhook/payloads'), { recursive: true });
    await handler.close();
    await gate.stop();
  });

  interface Answer {
    id: string;
    runId: string;
    status: number;
    body: unknown;
    deliveredHere?: MadeDelivery;
  }
  const run = (argument: object = {}) =>
    command<Answer>('runApp', { ...app, body: { n: 1 }, quiet: true, ...argument });
  const made = async ({ id }: { id: string }): Promise<WholeDelivery> =>
    eventually(async () => (await deliveries()).find((one) => one.id === id && one.forward !== undefined));

  it('gives the handler, signed, what the proxy has returned, and the run its delivery', async () => {
    const answer = await run({ webhook: 'here' });
    assert.deepEqual(answer.deliveredHere?.attempts, [{ status: 200 }]);
    const [got] = await handler.count(1);
    assert.match(String(got!.headers['x-service-webhook-signature']), /^v1,[\da-f]{64}$/);
    const delivery = await made(answer.deliveredHere);
    assert.equal(got!.body.toString(), delivery.body);
    assert.deepEqual(JSON.parse(delivery.body), answer.body);
    const { verdict, madeHere, runId, appName, forward } = delivery;
    assert.deepEqual([verdict, madeHere, forward?.status], ['verified', true, 200]);
    assert.deepEqual([runId, appName], [answer.runId, 'echo']);
    const { url } = gate.requests.at(-1)!;
    assert.ok(!url.includes('webhookEndpoint'), url);
  });

  it('is compared with the first delivery that the service itself sends, and a difference is told once', async () => {
    const { proxyUrl } = gate.address;
    await setSetting('proxyUrl', proxyUrl);
    // Of the direct response alone: the webhook does not pass the gate.
    gate.change = ({ body, ...answer }) => ({ ...answer, body: body.replace('{', '{"queued":true,') });
    try {
      await shownMessages();
      await answerPrompts({ verb: 'Compare' });
      const real = async () => {
        const { runId } = await run({ webhook: true });
        await eventually(async () => (await deliveries()).find((one) => one.runId === runId));
      };
      await real();
      const diff = await eventually(() => {
        const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
        return Promise.resolve(input instanceof vscode.TabInputTextDiff ? input : undefined);
      });
      const [made = '', sent] = await Promise.all(
        [diff.original, diff.modified].map(async (uri) =>
          (await vscode.workspace.openTextDocument(uri)).getText(),
        ),
      );
      assert.match(made, /"queued": true/);
      assert.equal(made.replace(/,?\s*"queued": true/, ''), sent);
      await real();
      const app = "The service's delivery of echo";
      assert.deepEqual(await shownMessages(), [
        {
          message: `${app} differs from what Deliver Here makes of its response: $.queued`,
          verbs: ['Compare'],
        },
      ]);
    } finally {
      gate.change = (answer) => answer;
      await setSetting('proxyUrl', proxyUrl.replace('127.0.0.1', '0.0.0.0'));
    }
  });

  it('takes a kept run by either of its ids, again and again, and what the listener or the handler answers', async () => {
    const { id, runId } = await run();
    for (const [response, attempts] of [
      [200, 1],
      [503, 1],
    ] as const) {
      await command('setNextResponses', { response, times: 3 });
      const listened = await command<MadeDelivery>('deliverHere', { id });
      assert.deepEqual(listened.attempts, Array(attempts).fill({ status: response }));
      await command('setNextResponses', { response: 200, times: 0 });
      await setSetting('listener.forwardMode', 'passThrough');
      handler.otherwise = response;
      const passed = await command<MadeDelivery>('deliverHere', { id: runId });
      assert.deepEqual(passed.attempts, listened.attempts);
      assert.equal((await made(passed)).runId, runId);
      await setSetting('listener.forwardMode', undefined);
    }
    assert.equal((await command<MadeDelivery>('deliverHere')).attempts.length, 1);
  });

  it('makes one of what failed in the app, and none of a run that was refused or is not kept', async () => {
    const failed = await run({ appName: 'fail', webhook: 'here' });
    assert.equal(failed.status, 500);
    assert.equal(failed.deliveredHere?.attempts.length, 1);
    gate.change = (answer) => ({ ...answer, status: 403, headers: [], body: '{}' });
    try {
      await assert.rejects(run({ webhook: 'here' }), /the run failed \(403\)/);
    } finally {
      gate.change = (answer) => answer;
    }
    await assert.rejects(command('deliverHere', { id: 'unknown' }), /no run unknown/);
  });

  it('leads from a run whose token was rejected to another token, and to another run with it', async () => {
    const outcome = { kind: 'answered', status: 401, durationMs: 1, bytes: 0 };
    const refused = { id: 'refused', input: { ...app, appName: 'echo' }, outcome } as unknown as Run;
    const error: unknown = await deliverHere({} as DeliverHereParts, refused).catch((one: unknown) => one);
    assert.ok(error instanceof UserError);
    assert.deepEqual(
      error.remedies.map(({ kind }) => kind),
      ['setToken', 'runAgain'],
    );
    await error.again!();
    assert.match((await shownMessages()).at(-1)?.message ?? '', /no longer kept/);
  });

  it('is the way of one click while the service cannot reach this machine, unless another was chosen', async () => {
    const file = await command<string>('openPayload', { ...app, name: 'here' });
    // As the row of the payload hands it over.
    const clicked = async () => (await command<Answer>('runFile', { argument: { file } })).deliveredHere;
    assert.equal((await clicked())?.attempts.length, 1);
    await command('runPayload', app);
    assert.equal(await clicked(), undefined);
    const { deliveredHere } = await command<Answer>('runPayloadAndDeliverHere', app);
    assert.equal(deliveredHere?.attempts.length, 1);
    assert.equal((await clicked())?.attempts.length, 1);
  });
});
