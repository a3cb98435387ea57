import assert from 'node:assert/strict';
import * as http from 'node:http';
import * as vscode from 'vscode';
import { toolIds } from '../../../src/editor/kit/ids.ts';
import type { Delivery } from '../../../src/contract/delivery.ts';
import type { Project } from '../../../src/service/projects/project.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { command, deliveries, eventually, setSetting } from '../../support/editor/inEditor.ts';
import { jwt } from '../../support/service/jwt.ts';
import { Receiver } from '../../support/http/receiver.ts';
import { secretEncodings } from '../../support/untrusted/secretEncodings.ts';

const project = {
  id: 'p-masked',
  name: 'Masked',
  serviceAccounts: [{ id: 'sa-masked' }],
  apps: [{ id: 'a-masked', name: 'masked-app' }],
};
/** All that is held in this test: what is stored, what was replaced, and what was given for one run. */
const held = {
  token: jwt({ sub: 'me', project_id: project.id }),
  opaque: 'tk~Zp3/rW8_uQ1.x+Yb6',
  secret: 'kF3-x9/_Qm7zT+pe all',
  replaced: 'Hd5*wL2/vN8_cR4+jS7 before',
  ofProject: 'Bq6!mX1/tK9_zG3+hD8 of a project',
  ofApp: 'Vy2^nJ7/sP4_aF5+eC9 of an app',
  once: 'Tu8#gM6/oW3_bI1+kE2 for once',
};
/** Without escapes: what sends them in JSON escapes them twice. */
const writings = Object.values(held).flatMap((value) =>
  Object.entries(secretEncodings)
    .map(([name, write]) => ({ name: `${value}, ${name}`, text: write(value) }))
    .filter(({ text }) => !text.includes('\\')),
);

/** Everything that is held, in every writing, as an app might send it. */
const echo = JSON.stringify({ writings: writings.map(({ text }) => text), ...held });

async function tool(
  name: keyof typeof toolIds,
  input: object = {},
  token?: vscode.CancellationToken,
): Promise<string> {
  const result = await vscode.lm.invokeTool(toolIds[name], { input, toolInvocationToken: undefined }, token);
  const [part, ...rest] = result.content;
  assert.ok(part instanceof vscode.LanguageModelTextPart && rest.length === 0);
  return part.value;
}

/** What a model gets, be it an answer or an error. */
async function told(name: keyof typeof toolIds, input: object): Promise<string> {
  return tool(name, input).catch((error: unknown) => String(error));
}

function assertTellsNothing(text: string): void {
  for (const writing of writings) {
    assert.ok(!text.includes(writing.text), `${writing.name}: ${text.slice(0, 3000)}`);
  }
}

/** Sends a delivery that verifies, and has one writing in its path, its headers and its body. */
async function deliver(port: number, text: string, requestId: string): Promise<void> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = JSON.stringify({ echo: text, n: 1 });
  const inLatin1 = Buffer.from(text.replace(/[\r\n]+/g, ' ')).toString('latin1');
  const headers = {
    'x-request-id': requestId,
    'x-service-webhook-timestamp': timestamp,
    'x-service-webhook-signature': `v1,${sign(held.secret, requestId, timestamp, Buffer.from(body))}`,
    'x-echo': inLatin1,
  };
  const path = `/hook/${encodeURIComponent(text)}?v=${encodeURIComponent(text)}`;
  await new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      assert.equal(response.statusCode, 200);
      response.resume().on('end', () => resolve(undefined));
    });
    request.on('error', reject).end(body);
  });
}

describe('what a language model gets', () => {
  let service: Receiver;
  const answer =
    (status: number, body: string) => (_: http.IncomingMessage, response: http.ServerResponse) => {
      response.writeHead(status, { 'content-type': 'application/json', 'x-echo': held.token }).end(body);
    };
  const { id: projectId } = project;
  const app = { projectId, appName: 'masked-app' };

  before(async () => {
    service = await Receiver.start();
    service.otherwise = answer(200, echo);
    await setSetting('baseUrl', service.url);
    await setSetting('proxyUrl', service.url);
    await setSetting('listener.forwardTo', service.url);
    await command('addProject', { ...project, name: `Masked ${held.token}` });
    await command('addServiceAccount', { projectId, id: 'sa-opaque' });
    await command('setToken', { projectId, serviceAccountId: 'sa-masked', token: held.token });
    await command('setToken', { projectId, serviceAccountId: 'sa-opaque', token: held.opaque });
    await command('setWebhookSecret', { secret: held.replaced });
    await command('setWebhookSecret', { secret: held.secret });
    await command('setWebhookSecret', { projectId, secret: held.ofProject });
    await command('setWebhookSecret', { ...app, secret: held.ofApp });
    await command('clearDeliveries', {});
    const { port } = await command<{ port: number }>('startListener');
    await command('runApp', { ...app, webhook: true, quiet: true, secret: held.once });
    let count = 0;
    for (const { text } of writings.filter((_, at) => at % 3 === 0))
      await deliver(port, text, `r-${(count += 1)}`);
    await command('sendTestDelivery', { body: { run_id: 'r-echoed', echo } });
    await eventually(async () =>
      (await deliveries()).filter(({ forward }) => forward !== undefined).length >= count ? true : undefined,
    );
  });
  after(async () => {
    await command('clearDeliveries', {});
    await command('stopListener');
    await command('removeProject', { projectId });
    for (const id of ['baseUrl', 'proxyUrl', 'listener.forwardTo', 'projects'])
      await setSetting(id, undefined);
    await service.close();
  });
  afterEach(() => {
    service.otherwise = answer(200, echo);
  });

  const list = JSON.stringify([{ id: 'k-1', name: `is ${held.token}`, created_at: held.secret }]);
  const settings = { gpuCount: 1 };
  const calls: [keyof typeof toolIds, string, () => Promise<object> | object, string?][] = [
    ['listProjects', 'a project named by a token', () => ({})],
    ['listKeys', 'keys that are tokens', () => ({ projectId, serviceAccountId: 'sa-masked' }), list],
    [
      'validateSettings',
      'settings that are secrets',
      () => ({ settings: { [held.secret]: held.token, memory: held.secret } }),
    ],
    ['applySettings', 'an answer that echoes', () => ({ projectId, appId: 'a-masked', settings })],
    ['applySettings', 'an app of such a name', () => ({ projectId, appId: held.secret, settings })],
    ['runApp', 'an app that echoes', () => ({ ...app, webhook: true })],
    ['runApp', 'a path of such a name', () => ({ ...app, path: `../${held.token}` })],
    ['listDeliveries', 'deliveries that echo', () => ({ limit: 100 })],
    ['getDelivery', 'a delivery that echoes', async () => ({ id: (await deliveries())[0]!.id })],
    ['explainDelivery', 'a delivery that echoes', async () => ({ id: (await deliveries())[0]!.id })],
    ['explainDelivery', 'an id of such a name', () => ({ id: held.ofProject })],
    ['sendTestDelivery', 'a body that holds them', () => ({ body: { echo, to: held.opaque } })],
    ['replayDelivery', 'an app that echoes', async () => ({ id: (await deliveries())[0]!.id, resign: true })],
    ['replayDelivery', 'an id of such a name', () => ({ id: held.ofApp })],
    ['waitForDelivery', 'a delivery that echoes', () => ({ runId: 'r-echoed' })],
    [
      'deliverHere',
      'a response and a handler that echo',
      async () => ({ runId: (await command<{ id: string }>('runApp', { ...app, quiet: true })).id }),
    ],
    ['deliverHere', 'a run of such a name', () => ({ runId: held.once })],
    [
      'sendTestDelivery',
      'an address that holds one',
      () => ({ to: `http://${held.replaced.slice(0, 3)}.invalid/?${held.token}` }),
    ],
  ];
  for (const [name, what, input, body] of calls) {
    it(`holds no token and no secret: ${name}, ${what}`, async () => {
      if (body !== undefined) service.otherwise = answer(200, body);
      assertTellsNothing(await told(name, await input()));
    });
  }

  it('has a case for every tool', () => {
    assert.deepEqual([...new Set(calls.map(([name]) => name))].sort(), Object.keys(toolIds).sort());
  });

  it('holds no token and no secret where each delivery is explained, and where a call fails', async () => {
    for (const { id } of (await deliveries()).slice(0, 30))
      assertTellsNothing(await tool('explainDelivery', { id }));
    for (const { text } of writings.filter((_, at) => at % 7 === 0)) {
      service.otherwise = answer(400, JSON.stringify({ message: `No: ${text}` }));
      const failed = await told('listKeys', { projectId, serviceAccountId: 'sa-opaque' });
      assert.match(failed, /400/);
      assertTellsNothing(failed);
    }
  });

  it('names what the next call takes as it is', async () => {
    const projects = JSON.parse(await tool('listProjects')) as Project[];
    const { serviceAccounts, apps } = projects.find(({ id }) => id === projectId)!;
    assert.deepEqual(
      serviceAccounts.map(({ id }) => id),
      ['sa-masked', 'sa-opaque'],
    );
    assert.deepEqual(
      apps.map(({ id, name }) => [id, name]),
      [['a-masked', 'masked-app']],
    );
    const listed = JSON.parse(await tool('listDeliveries', { limit: 3 })) as Delivery[];
    assert.deepEqual(
      listed.map(({ id }) => id),
      (await deliveries()).slice(0, 3).map(({ id }) => id),
    );
    for (const { verdict, method, answered } of listed) {
      assert.deepEqual([verdict, method, answered], ['verified', 'POST', 200]);
    }
  });

  it('is nothing once the call is cancelled: the run is broken off', async () => {
    for (const [name, input] of [
      ['runApp', app],
      ['applySettings', { projectId, appId: 'a-masked', settings }],
    ] as const) {
      const closed = Promise.withResolvers<undefined>();
      const arrived = Promise.withResolvers<undefined>();
      service.otherwise = (_, response) => {
        response.on('close', () => closed.resolve(undefined));
        arrived.resolve(undefined);
      };
      const cancel = new vscode.CancellationTokenSource();
      const running = tool(name, input, cancel.token);
      await arrived.promise;
      cancel.cancel();
      await assert.rejects(running);
      await closed.promise;
    }
  });
});
