import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { sandboxFaults } from '../../../../src/contract/values.ts';
import { SandboxServer } from '../../../../src/service/sandbox/sandboxServer.ts';
import { maxWebhookBytes } from '../../../../src/service/sandbox/webhook/webhookBody.ts';
import { TestClock } from '../../../support/time/testClock.ts';
import { ListenerRig, secret } from '../../../support/listener/listenerRig.ts';
import { useSandbox } from '../../../support/service/useSandbox.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

describe('faults of the answer', () => {
  let sandbox: SandboxServer;
  let clock: TestClock;

  beforeEach(async () => {
    clock = new TestClock();
    sandbox = await SandboxServer.start({
      port: 0,
      apps: {},
      clock,
      random: () => 0,
      log: (line) => assert.fail(line),
    });
  });
  afterEach(() => sandbox.close());

  async function call(
    fault?: string,
    target = 'keys',
  ): Promise<{ status: number; retryAfter: unknown; body: unknown }> {
    const { baseUrl, projectId, serviceAccountId, token } = sandbox.address;
    const path =
      target === 'keys'
        ? `/v2/${projectId}/service-accounts/${serviceAccountId}/keys`
        : `/v4/${projectId}/echo/run`;
    const answer = await request(`${baseUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(fault !== undefined && { 'x-sandbox-fault': fault }) },
    });
    return {
      status: answer.statusCode,
      retryAfter: answer.headers['retry-after'],
      body: await answer.body.json(),
    };
  }

  /** Turns the clock to the next callback, once there is one. */
  async function turn(): Promise<number> {
    for (;;) {
      const next = clock.nextIn;
      if (next !== undefined) {
        clock.advance(next);
        return next;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  for (const status of [401, 403, 404, 429, 500]) {
    it(`${status}: on the management API and on a run, for that call only`, async () => {
      for (const target of ['keys', 'run']) {
        const answer = await call(status.toString(), target);
        assert.equal(answer.status, status);
        assert.equal(answer.retryAfter, status === 429 ? '1' : undefined);
        assert.equal((await call(undefined, target)).status, 200);
      }
    });
  }

  it('latency: a second', async () => {
    const answering = call('latency');
    assert.equal(await turn(), 1000);
    assert.equal((await answering).status, 200);
  });

  it('slow, without a webhook: five seconds, and together with another', async () => {
    const answering = call(' Slow , 500 ', 'run');
    assert.equal(await turn(), 5000);
    assert.equal((await answering).status, 500);
  });

  it('hang, without a webhook: no answer, and the next call is served', async () => {
    const { baseUrl, projectId, token } = sandbox.address;
    const gone = new AbortController();
    const hanging = request(`${baseUrl}/v4/${projectId}/echo/run`, {
      headers: { authorization: `Bearer ${token}`, 'x-sandbox-fault': 'hang' },
      signal: gone.signal,
    });
    assert.equal((await call()).status, 200);
    gone.abort();
    await assert.rejects(hanging, { name: 'AbortError' });
  });

  it('switched on: for every call, until it is reset; a call may ask for others, or none', async () => {
    sandbox.state.faults = new Set(['500']);
    assert.equal((await call()).status, 500);
    assert.equal((await call('none')).status, 200);
    assert.equal((await call('404')).status, 404);
    sandbox.state.reset();
    assert.equal((await call()).status, 200);
  });

  it('none befalls what the sandbox has of its own', async () => {
    sandbox.state.faults = new Set(['401', '500', 'hang']);
    const { baseUrl, token } = sandbox.address;
    const answer = await request(`${baseUrl}/v1/sandbox/service-accounts/sa-production/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(answer.statusCode, 200);
    await answer.body.dump();
  });

  it('an unknown one is refused, with those there are', async () => {
    const { status, body } = await call('gremlins');
    assert.equal(status, 400);
    for (const fault of sandboxFaults) assert.ok((body as { message: string }).message.includes(fault));
  });

  it('a reset brings the seeded settings back, and the token stays good', async () => {
    const { baseUrl, projectId, token, apps } = sandbox.address;
    const modify = async (settings: object): Promise<unknown> => {
      const answer = await request(`${baseUrl}/v2/projects/${projectId}/apps/${apps[0]!.id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      });
      return answer.body.json();
    };
    await modify({ gpuCount: 4 });
    assert.deepEqual(await modify({}), { gpuCount: 4 });
    sandbox.state.reset();
    assert.deepEqual(await modify({}), {});
  });

  it('a body above 10 MiB is refused with 413, on the connection that it came on', async () => {
    const { proxyUrl, projectId, token } = sandbox.address;
    const answer = await request(`${proxyUrl}/v4/${projectId}/echo/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: Buffer.alloc(11 * 1024 * 1024, 0x61),
    });
    assert.equal(answer.statusCode, 413);
    await once(answer.body.resume(), 'end');
  });

  it('a body above 10 MiB is read to its end: a caller may look for the answer only then', async () => {
    const { proxyUrl, projectId, token } = sandbox.address;
    const socket = connect(Number(new URL(proxyUrl).port), '127.0.0.1');
    const body = Buffer.alloc(40 * 1024 * 1024, 0x61);
    socket.write(
      `POST /v4/${projectId}/echo/run HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    await promisify(socket.write.bind(socket) as (bytes: Buffer, done: () => void) => void)(body);
    assert.match((await buffer(socket)).toString(), /^HTTP\/1\.1 413 /);
  });
});

const mib = 1024 * 1024;

describe('a long answer of an app', () => {
  const service = useSandbox();
  let rig: ListenerRig;

  beforeEach(async () => {
    rig = await new ListenerRig().start();
    rig.configure({ maxBodyBytes: maxBodyBytesByDefault() });
    rig.clock = Date.now();
  });
  afterEach(() => rig.end());

  /** What the listener keeps of the webhook of a run. */
  async function arrived(name: string, body?: string) {
    const { status } = await service.run(name, { hook: `http://127.0.0.1:${rig.port}/`, secret, body });
    const id = await waitFor('the webhook at the listener', () => rig.arrived[0]);
    assert.deepEqual(rig.refused, []);
    const { verdict, answered } = rig.store.get(id);
    assert.deepEqual([status, verdict, answered], [200, 'verified', 200]);
    return JSON.parse(rig.store.kept(id).body.toString()) as Record<string, unknown>;
  }

  const sizes: [bytes: number, isCut: boolean][] = [
    [10 * mib - 1024, false],
    [10 * mib, true],
    [11 * mib, true],
  ];
  for (const [bytes, isCut] of sizes) {
    it(`of ${bytes} bytes arrives at a listener ${isCut ? 'cut, and says so' : 'whole'}`, async () => {
      const answer = `{"a":"${'x'.repeat(bytes - 8)}"}`;
      service.app.otherwise = (_, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer);
      };
      const said = await arrived('mine');
      if (isCut) {
        assert.deepEqual([said['truncated'], said['result_bytes']], [true, bytes]);
        assert.ok(answer.startsWith(said['result'] as string));
        await service.logged(
          new RegExp(
            `${String(said['run_id'])}: it holds only the beginning of the app's response \\(${bytes} bytes\\)`,
          ),
        );
      } else {
        assert.deepEqual(said['result'], JSON.parse(answer));
        assert.equal(said['truncated'], undefined);
      }
    });
  }

  it('of a built-in one is whole for the caller, and cut in the webhook', async () => {
    const said = await arrived('echo', `"${'x'.repeat(10 * mib - 2)}"`);
    assert.equal(said['truncated'], true);
  });

  it('has as much room in the sandbox as a listener takes by default', () => {
    assert.equal(maxWebhookBytes, maxBodyBytesByDefault());
  });
});

/** What package.json says. */
function maxBodyBytesByDefault(): number {
  const text = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  const [, digits] = /"runhook\.listener\.maxBodyBytes": \{[^}]*"default": (\d+)/.exec(text) ?? [];
  return Number(digits);
}
