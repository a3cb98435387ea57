import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { request } from 'undici';
import { type Rpc, connectRpc, threadPort } from '../../../../src/shared/rpc/rpc.ts';
import type {
  AppliedByApp,
  IssuedTokens,
  SandboxCalls,
  SandboxNews,
} from '../../../../src/service/sandbox/sandboxProtocol.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';
import { Receiver } from '../../../support/http/receiver.ts';

const file = new URL('../../../../src/service/sandbox/sandbox.worker.ts', import.meta.url);

describe("the sandbox's thread", () => {
  let worker: Worker;
  let rpc: Rpc<SandboxCalls>;
  let receiver: Receiver;
  const applied: AppliedByApp[] = [];
  const logged: string[] = [];
  let issued: IssuedTokens | undefined;
  const attempted = Promise.withResolvers<string>();

  beforeEach(async () => {
    receiver = await Receiver.start();
    worker = new Worker(file);
    rpc = connectRpc<SandboxCalls, SandboxNews>(threadPort(worker), {
      log: (line) => logged.push(line),
      attempt: ({ runId }) => attempted.resolve(runId),
      applied: (byApp) => applied.push(byApp),
      issued: (all) => {
        issued = all;
      },
    });
    applied.length = 0;
  });
  afterEach(async () => {
    await worker.terminate();
    await receiver.close();
  });

  const start = (more: Partial<Parameters<SandboxCalls['start']>[0]> = {}) =>
    rpc.call.start({ port: 0, apps: {}, ...more });

  it('issues again what the one before it has issued, and nothing else', async () => {
    const before = await start();
    const made = await rpc.call.newToken({ serviceAccountId: 'sa-production' });
    const kept = issued!;
    assert.deepEqual(kept.made, [{ serviceAccountId: 'sa-production', ...made }]);
    const after = await start({ issued: kept });
    assert.deepEqual(after.serviceAccounts, before.serviceAccounts);
    assert.deepEqual(issued, kept);
    const list = async (token: string) => {
      const path = `/v2/${after.projectId}/service-accounts/sa-production/keys`;
      const headers = { authorization: `Bearer ${token}` };
      const { statusCode, body } = await request(`${after.baseUrl}${path}`, { headers });
      return [statusCode, await body.text()] as const;
    };
    const [status, keys] = await list(made.token);
    assert.equal(status, 200);
    assert.ok(keys.includes(made.name));
    const [, , production] = after.serviceAccounts;
    for (const refused of [production!.token, `${made.token}x`, 'a-token']) {
      assert.equal((await list(refused))[0], 401);
    }
    const old = { ...kept, startedAt: kept.startedAt - 61 * 24 * 60 * 60 * 1000 };
    assert.notEqual((await start({ issued: old })).token, before.token);
    const { token } = await start({ issued: kept, projectId: 'p-other' });
    assert.notEqual(token, before.token);
  });

  it('serves, takes apps and faults, and logs to the host', async () => {
    const { proxyUrl, projectId, token } = await start();
    const apps = await rpc.call.setApps({ mine: receiver.url });
    assert.equal(apps.at(-1)?.name, 'mine');
    receiver.otherwise = 500;
    const target = `${proxyUrl}/v4/${projectId}/mine/run`;
    const headers = { authorization: `Bearer ${token}` };
    const run = async (query = '') => {
      const answer = await request(`${target}${query}`, { headers });
      await answer.body.dump();
      return answer.statusCode;
    };
    assert.equal(await run(`?webhookEndpoint=${encodeURIComponent(receiver.url)}`), 500);
    const runId = await attempted.promise;
    assert.ok(
      logged.some((line) => line.includes(`${runId}, attempt 1 of 3: returned 500; no more attempts`)),
    );
    const [attempt, ...others] = await rpc.call.attempts({ runId });
    assert.deepEqual([attempt?.status, attempt?.outcome, others], [500, 'givenUp', []]);
    assert.deepEqual(await rpc.call.attempts({ runId: 'run-of-nobody' }), []);
    await rpc.call.setFaults(['429']);
    assert.equal(await run(), 429);
    await rpc.call.reset();
    assert.equal(await run(), 500);
  });

  it('tells the host what the apps hold, at the start and after each change', async () => {
    const { baseUrl, projectId, token } = await start();
    const patch = async (settings: object) => {
      const answer = await request(`${baseUrl}/v2/projects/${projectId}/apps/app-echo`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      });
      await answer.body.dump();
    };
    await patch({ gpuCount: 2 });
    await patch({ gpuCount: 99 });
    await patch({ memory: '16' });
    await rpc.call.setApps({});
    await rpc.call.reset();
    assert.deepEqual(applied, [
      {},
      { 'app-echo': { gpuCount: 2 } },
      { 'app-echo': { gpuCount: 2, memory: '16' } },
      { 'app-echo': { gpuCount: 2, memory: '16' } },
      {},
    ]);
  });

  it('holds from its start what had been applied, of the apps that are there', async () => {
    const held = { 'app-echo': { gpuCount: 2 } };
    await start({ applied: { ...held, 'app-gone': { gpuCount: 3 } } });
    assert.deepEqual(applied, [held]);
  });

  it('rejects a bad address for the user to read, and keeps the apps before', async () => {
    await start();
    await assert.rejects(rpc.call.setApps({ mine: 'ftp://x' }), UserError);
    assert.equal(
      (await rpc.call.setApps({})).some(({ name }) => name === 'mine'),
      false,
    );
  });

  it('rejects a port that is taken by its code', async () => {
    const port = Number(new URL(receiver.url).port);
    await assert.rejects(rpc.call.start({ port, apps: {} }), { code: 'EADDRINUSE' });
    assert.ok((await start()).token);
  });

  it('ends when it is told to, while webhooks are on their way', async () => {
    const { proxyUrl, projectId, token } = await start();
    receiver.otherwise = 'hang';
    const hook = encodeURIComponent(receiver.url);
    const answer = await request(`${proxyUrl}/v4/${projectId}/echo/run?webhookEndpoint=${hook}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.body.dump();
    await receiver.count(1);
    const ended = once(worker, 'exit');
    await worker.terminate();
    await ended;
  });
});
