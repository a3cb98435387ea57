import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { answerPrompts, command, expectMessage, setSetting } from '../../support/editor/inEditor.ts';
import type { SandboxAddress } from '../../../src/model/service/sandboxProtocol.ts';
import { waitFor } from '../../support/time/waitFor.ts';

type Started = Omit<SandboxAddress, 'token'>;

const start = (argument?: object) => command<Started>('startSandbox', argument);
const stop = () => command('stopSandbox');
const listKeys = ({ projectId, serviceAccountId }: Started) =>
  command<{ name: string; status: string }[]>('listKeys', {
    projectId,
    serviceAccountId,
  });
const run = async ({ projectId }: Started, appName: string): Promise<{ status: number; body: unknown }> =>
  command('runApp', { projectId, appName, body: { n: 1 }, quiet: true });

function isServed(address: Started): Promise<boolean> {
  return fetch(`${address.baseUrl}/openapi.json`).then(
    (answer) => answer.ok,
    () => false,
  );
}

describe('the sandbox in the editor', () => {
  afterEach(async () => {
    await stop();
    await setSetting('sandbox.apps', undefined);
  });

  it('starts the whole service and says where, without its token', async () => {
    const address = await start();
    assert.equal(await isServed(address), true);
    assert.equal(new URL(address.proxyUrl).hostname, '127.0.0.1');
    assert.deepEqual(
      address.apps.map(({ name }) => name),
      ['hello', 'echo', 'sleep', 'fail', 'stream'],
    );
    assert.ok(!JSON.stringify(address).includes('token'));
  });

  it('is a project like any other: its keys are listed with its token', async () => {
    const keys = await listKeys(await start());
    assert.deepEqual(
      new Set(keys.map(({ status }) => status)),
      new Set(['valid', 'expiring', 'expired', 'unknown']),
    );
  });

  it('has an account an environment: of the others one token has expired, and one was revoked', async () => {
    const address = await start();
    const [, staging, prod] = address.serviceAccounts;
    const { projectId } = address;
    await assert.rejects(async () => listKeys({ ...address, serviceAccountId: staging!.id }), /401.*expired/);
    await assert.rejects(async () => listKeys({ ...address, serviceAccountId: prod!.id }), /401.*revoked/);
    for (const { id } of [staging!, prod!]) {
      const given = { projectId, serviceAccountId: id };
      const made = await command('copyNewSandboxToken', given);
      assert.deepEqual(Object.keys(made as object), ['expiresAt']);
      const token = await vscode.env.clipboard.readText();
      await command('setToken', { ...given, token });
      assert.ok((await listKeys({ ...address, serviceAccountId: id })).length > 0);
    }
  });

  it('asks before a run with the account of prod, and refuses its token then', async () => {
    const { projectId, serviceAccounts } = await start();
    const id = serviceAccounts.at(-1)!.id;
    const call = { projectId, appName: 'echo', body: {}, quiet: true };
    const runEcho = async (more = {}) => command<{ status: number }>('runApp', { ...call, ...more });
    await command('useServiceAccount', { projectId, serviceAccountId: id });
    try {
      await answerPrompts(false);
      await assert.rejects(runEcho(), /not confirmed/);
      assert.equal((await runEcho({ confirmed: true })).status, 401);
    } finally {
      const ci = { projectId, serviceAccountId: serviceAccounts[0]!.id };
      await command('useServiceAccount', ci);
    }
  });

  it('stays as it is when it is started again', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    assert.deepEqual(first, second);
    assert.deepEqual(await start(), first);
  });

  it('stops, takes its project away, and starts again', async () => {
    const first = await start();
    await stop();
    assert.equal(await isServed(first), false);
    await assert.rejects(async () => run(first, 'echo'), /p-sandbox/);
    const second = await start();
    assert.equal((await run(second, 'echo')).status, 200);
  });

  it('starts on the port that it had before, as long as that is free', async () => {
    const { baseUrl } = await start();
    const port = Number(new URL(baseUrl).port);
    await stop();
    assert.equal((await start()).baseUrl, baseUrl);
    await stop();
    const other = await listen(undefined, port);
    const elsewhere = await start();
    assert.notEqual(elsewhere.baseUrl, baseUrl);
    await stop();
    await new Promise((resolve) => other.close(resolve));
    assert.equal((await start()).baseUrl, elsewhere.baseUrl);
    await stop();
    assert.notEqual((await start({ port: 0 })).baseUrl, elsewhere.baseUrl);
  });

  it('takes the port that it is given, and does not move', async () => {
    const free = await listen();
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const address = await start({ port });
    assert.equal(address.baseUrl, `http://127.0.0.1:${port}`);
    await assert.rejects(async () => start({ port: port === 65535 ? 1024 : port + 1 }), /already running at/);
  });

  it('names a port that is taken, and starts at the next try', async () => {
    const taken = await listen();
    const { port } = taken.address() as AddressInfo;
    await assert.rejects(async () => start({ port }), new RegExp(`${port} is taken`));
    await new Promise((resolve) => taken.close(resolve));
    assert.equal((await start({ port })).baseUrl, `http://127.0.0.1:${port}`);
  });

  it('refuses a port that is none', async () => {
    for (const port of [-1, 65536, 1.5, '80']) await assert.rejects(async () => start({ port }), /port/);
  });

  it("runs the user's own app behind the proxy, also one that is set while it runs", async () => {
    const app = await listen((_, response) => response.writeHead(418).end('mine'));
    const address = await start();
    const { port } = app.address() as AddressInfo;
    const apps = { mine: `http://127.0.0.1:${port}` };
    await setSetting('sandbox.apps', apps);
    const answer = await waitFor('the app', () => run(address, 'mine'));
    assert.deepEqual([answer.status, answer.body], [418, 'mine']);
    app.closeAllConnections();
    await new Promise((resolve) => app.close(resolve));
  });

  it('does not start with an app that has no address, and says which', async () => {
    await setSetting('sandbox.apps', { mine: 'ftp://localhost' });
    await expectMessage(start(), /mine .*ftp:\/\/localhost/);
    await setSetting('sandbox.apps', undefined);
    assert.equal(await isServed(await start()), true);
  });

  it('misbehaves when it is told to, until it is reset', async () => {
    const address = await start();
    const set = await command('setSandboxFaults', { faults: ['500'] });
    assert.deepEqual(set, { faults: ['500'] });
    assert.equal((await run(address, 'echo')).status, 500);
    await command('resetSandbox');
    assert.equal((await run(address, 'echo')).status, 200);
  });

  it('asks in which ways to misbehave where nothing is said', async () => {
    await start();
    await answerPrompts(['repeat', 'bad-signature']);
    assert.deepEqual(await command('setSandboxFaults'), {
      faults: ['bad-signature', 'repeat'],
    });
  });

  it('says that it is not running where that is so, and what it does not know', async () => {
    const faults = (argument: object) => Promise.resolve(command('setSandboxFaults', argument));
    await assert.rejects(faults({}), /not running/);
    await assert.rejects(faults({ faults: ['500'] }), /not running/);
    await assert.rejects(faults({ faults: ['gremlins'] }), /faults/);
  });
});

async function listen(handler?: Parameters<typeof createServer>[1], port = 0): Promise<Server> {
  const server = handler ? createServer(handler) : createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}
