import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { request } from 'undici';
import { maxDelayMs, type WebhookAttempt } from '../../../../src/service/webhookAttempt.ts';
import { AttemptLog } from '../../../../src/service/sandbox/serviceState.ts';
import { postWebhook } from '../../../../src/service/sandbox/webhook/postWebhook.ts';
import { Capture } from '../../../../src/service/sandbox/runProxy/runProxy.ts';
import { maxWebhookBytes, webhookBody } from '../../../../src/service/sandbox/webhook/webhookBody.ts';
import type { SandboxFault } from '../../../../src/service/sandbox/sandboxFault.ts';
import type { SandboxServer } from '../../../../src/service/sandbox/sandboxServer.ts';
import { verify } from '../../../../src/service/signature/signature.ts';
import { type Webhook, WebhookSender } from '../../../../src/service/sandbox/webhook/webhookSender.ts';
import { json, useSandbox } from '../../../support/service/useSandbox.ts';
import { startHastyApp } from '../../../support/http/hastyApp.ts';
import { type Behaviour, Receiver } from '../../../support/http/receiver.ts';
import { startSandboxServer } from '../../../support/service/startSandboxServer.ts';
import { TestClock } from '../../../support/time/testClock.ts';

const attempt = (runId: string, number = 1): WebhookAttempt => ({
  ...{ runId, appName: 'hello', requestId: 'id', to: 'http://127.0.0.1/', at: '2026-11-22T12:00:00.000Z' },
  ...{ number, durationMs: 1, status: 200, outcome: 'delivered' },
});

describe('the log of attempts', () => {
  it('keeps the last ones alone', () => {
    const log = new AttemptLog(10);
    for (let count = 1; count <= 95; count += 1) log.add(attempt(`run-${count}`));
    const kept = log.list().map(({ runId }) => runId);
    assert.deepEqual(
      kept,
      Array.from({ length: 10 }, (_, index) => `run-${86 + index}`),
    );
    assert.deepEqual(log.list('run-95'), [attempt('run-95')]);
    assert.deepEqual(log.list('run-85'), []);
    log.forget(['run-86', 'run-94', 'run-of-nobody']);
    assert.deepEqual(log.list('run-94'), []);
    assert.equal(log.list().length, 8);
    log.clear();
    assert.deepEqual(log.list(), []);
  });

  describe('of a sandbox', () => {
    const service = useSandbox();
    const list = async (query = '') => {
      const { status, body } = await service.call({ path: `/v1/sandbox/attempts${query}` });
      assert.equal(status, 200);
      return (body as { attempts: WebhookAttempt[] }).attempts;
    };

    it('tells nothing without a token, and nothing of secrets', async () => {
      const hook = `${service.receiver.url}/hook?key=in-the-query`;
      const answer = await service.run('echo', { hook, secret: 'secret-of-the-caller', headers: json });
      await service.logged(/delivered/);
      const { run_id: runId } = answer.body as { run_id: string };
      const attempts = await list();
      assert.deepEqual(attempts, await list(`?runId=${runId}`));
      assert.deepEqual(await list('?runId=run-of-nobody'), []);
      assert.equal(attempts[0]!.to, `${service.receiver.url}/hook`);
      const told = JSON.stringify(attempts) + service.program.log.join('\n');
      for (const secret of ['secret-of-the-caller', 'in-the-query', service.address.token]) {
        assert.ok(!told.includes(secret), secret);
      }
      const headers = { authorization: '' };
      assert.equal((await service.call({ path: '/v1/sandbox/attempts', headers })).status, 401);
      assert.equal((await service.call({ path: '/v1/sandbox/attempts', method: 'DELETE' })).status, 405);
    });

    it('says where the answer of the app was cut', async () => {
      service.app.otherwise = (_, response) => response.writeHead(200).end('x'.repeat(11_000_000));
      const { program, receiver, address } = service;
      const query = `webhookEndpoint=${encodeURIComponent(receiver.url)}`;
      const answer = await fetch(`${address.proxyUrl}/v4/${address.projectId}/mine/run?${query}`, {
        headers: { authorization: `Bearer ${address.token}` },
      });
      await answer.arrayBuffer();
      await service.logged(new RegExp(`${answer.headers.get('x-run-id')}, attempt 1`));
      const [cut] = await list(`?runId=${answer.headers.get('x-run-id')}`);
      assert.equal(cut!.cutFrom, 11_000_000);
      assert.ok(program.log.some((line) => line.includes("the app's response (11000000 bytes)")));
    });
  });
});

describe('one attempt of a webhook', () => {
  it('has the status of an endpoint that changes the protocol', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(switching));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const endpoint = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      const request = { endpoint, headers: {}, body: Buffer.from('{}'), pace: { kind: 'atOnce' } } as const;
      assert.equal(await postWebhook(request, new AbortController().signal), 101);
    } finally {
      server.close();
    }
  });

  it('has the answer of an endpoint that does not read what is sent', async () => {
    const hasty = await startHastyApp();
    const request = {
      endpoint: new URL(hasty.url),
      headers: {},
      body: Buffer.alloc(10 << 20),
      pace: { kind: 'atOnce' },
    } as const;
    const { signal } = new AbortController();
    try {
      for (let round = 0; round < 5; round += 1) {
        const statuses = await Promise.all(Array.from({ length: 6 }, () => postWebhook(request, signal)));
        assert.deepEqual(new Set(statuses), new Set([204]));
      }
    } finally {
      hasty.stop();
    }
  });
});

const call = { runId: 'run-1', appName: 'hello', status: 200 };
const mib = 1024 * 1024;

/** The webhook of an app that answers that. */
function webhookOf(answer: Buffer | string, contentType = 'application/json') {
  const capture = new Capture();
  const bytes = Buffer.from(answer);
  for (let at = 0; at < bytes.length; at += 64 * 1024) capture.add(bytes.subarray(at, at + 64 * 1024));
  const { body, cutFrom } = webhookBody(call, capture.result(contentType), 0);
  assert.ok(body.byteLength <= maxWebhookBytes, String(body.byteLength));
  return { bytes: body.byteLength, cutFrom, said: JSON.parse(body.toString()) as Record<string, unknown> };
}

describe('the body of a webhook', () => {
  it('holds the whole of an answer that leaves room for the envelope', () => {
    const around = webhookOf('""').bytes - 2;
    const longest = `"${'x'.repeat(maxWebhookBytes - around - 2)}"`;
    const { bytes, said, cutFrom } = webhookOf(longest);
    assert.equal(bytes, maxWebhookBytes);
    assert.equal(said['result'], JSON.parse(longest));
    assert.equal(cutFrom, undefined);
    assert.equal(webhookOf(`"${longest.slice(1, -1)}x"`).cutFrom, longest.length + 1);
  });

  it('holds the beginning of a longer one, as much as there is room for, and says so', () => {
    const answers: [what: string, answer: Buffer | string, type?: string][] = [
      ['JSON', JSON.stringify(Array.from({ length: 1_300_000 }, (_, index) => index + 1e7))],
      ['more than is kept', `["${'x'.repeat(11 * mib)}"]`],
      ['text', 'é✓😀\n'.repeat(mib), 'text/plain'],
      ['text that grows in JSON', '\u0001'.repeat(3 * mib), 'text/plain'],
      ['text of many kinds', '"\\\u0007é😀a'.repeat(mib), 'text/plain'],
    ];
    for (const [what, answer, type] of answers) {
      const { bytes, said, cutFrom } = webhookOf(answer, type);
      const length = Buffer.byteLength(answer);
      assert.equal(cutFrom, length, what);
      assert.deepEqual([said['truncated'], said['result_bytes']], [true, length], what);
      assert.ok(answer.toString().startsWith(said['result'] as string), what);
      assert.ok(bytes > maxWebhookBytes - 12, `${what}: ${bytes}`);
    }
  });

  it('holds the beginning of bytes that are no text, in base64', () => {
    for (const length of [8 * mib, 11 * mib]) {
      const answer = Buffer.alloc(length, 0xff);
      const { bytes, said } = webhookOf(answer, 'image/png');
      assert.equal(said['result_encoding'], 'base64');
      const held = Buffer.from(said['result'] as string, 'base64');
      assert.deepEqual(held, answer.subarray(0, held.length));
      assert.ok(bytes > maxWebhookBytes - 4, String(bytes));
    }
  });

  it('cuts no character in two, whatever it is', () => {
    const ends = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(ends, fc.integer({ min: 0, max: 400 }), (end, before) => {
        const answer = 'x'.repeat(maxWebhookBytes - before) + end.repeat(40).toWellFormed();
        const { said } = webhookOf(answer, 'text/plain');
        const result = said['result'] as string;
        assert.ok(result.isWellFormed());
        assert.ok(answer.startsWith(result));
      }),
      { numRuns: 6 },
    );
  });
});

const secret = 'held';

describe('faults of the webhook, asked for by a header of the run', () => {
  let sandbox: SandboxServer;
  let receiver: Receiver;

  beforeEach(async () => {
    sandbox = await startSandboxServer();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await sandbox.close();
    await receiver.close();
  });

  async function run(fault: SandboxFault | 'none', body = '{}'): Promise<void> {
    const { proxyUrl, projectId, token } = sandbox.address;
    const target = `${proxyUrl}/v4/${projectId}/echo/run?webhookEndpoint=${encodeURIComponent(receiver.url)}`;
    const answer = await request(target, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-webhook-secret': secret, 'x-sandbox-fault': fault },
      body,
    });
    assert.equal(answer.statusCode, 200, 'the answer of the run is as ever');
    await answer.body.dump();
  }

  const verdictOf = (index: number) => {
    const { headers, body } = receiver.received[index]!;
    return verify(headers, body, [secret], Date.now() / 1000, 300).verdict;
  };

  const verdicts = [
    ['none', 'verified'],
    ['bad-signature', 'mismatch'],
    ['body-changed', 'mismatch'],
    ['stale-timestamp', 'stale'],
    ['missing-header', 'malformed'],
  ] as const;
  for (const [fault, verdict] of verdicts) {
    it(`${fault}: the webhook is ${verdict}`, async () => {
      await run(fault);
      await receiver.count(1);
      assert.equal(verdictOf(0), verdict);
    });
  }

  it('repeat: it comes twice, and both are right', async () => {
    await run('repeat');
    await receiver.count(2);
    assert.deepEqual([verdictOf(0), verdictOf(1)], ['verified', 'verified']);
  });

  it('out-of-order: it comes after that of a later run', async () => {
    await run('out-of-order', '"first"');
    await run('none', '"second"');
    const bodies = (await receiver.count(2)).map(({ body }) => body.toString());
    assert.match(bodies[0]!, /second/);
    assert.match(bodies[1]!, /first/);
  });

  for (const fault of ['hang', 'slow'] as const) {
    it(`${fault}: only a part of it comes at first`, async () => {
      const arrived = Promise.withResolvers<{ bytes: number; of: number }>();
      receiver.raw = (incoming) => {
        const of = Number(incoming.headers['content-length']);
        once(incoming, 'data').then(
          ([part]: Buffer[]) => arrived.resolve({ bytes: part!.byteLength, of }),
          arrived.reject,
        );
      };
      await run(fault);
      const { bytes, of } = await arrived.promise;
      assert.ok(bytes > 0 && bytes <= of / 2 + 1, `${bytes} bytes of ${of}`);
    });
  }
});

describe('WebhookSender', () => {
  let receiver: Receiver;
  let clock: TestClock;
  let log: string[];
  let sender: WebhookSender;
  /** How long the sender waited before each further attempt. */
  let waits: number[];

  beforeEach(async () => {
    receiver = await Receiver.start();
    clock = new TestClock();
    log = [];
    waits = [];
    sender = new WebhookSender({ clock, random: () => 0.5, log: (line) => log.push(line) });
  });
  afterEach(() => {
    sender.stop();
    return receiver.close();
  });

  const webhook = (faults: SandboxFault[] = [], endpoint = receiver.url): Webhook => ({
    runId: 'run-1',
    appName: 'hello',
    endpoint: new URL(endpoint),
    body: Buffer.from('{"run_id":"run-1","timestamp":1790000000}'),
    secret,
    faults: new Set(faults),
  });

  /** Turns the clock to each retry as soon as the sender waits for one, and to the time-out where it says so. */
  async function settle(sending: Promise<void>, timesOut: () => boolean = () => false): Promise<void> {
    const progress = { settled: false };
    void sending.finally(() => {
      progress.settled = true;
    });
    for (;;) {
      await nextTurn();
      if (progress.settled) return;
      const next = clock.nextIn;
      if (next === undefined) continue;
      if (next <= maxDelayMs) waits.push(next);
      if (next <= maxDelayMs || timesOut()) clock.advance(next);
    }
  }

  describe('keeps to the retry table (service-interface.md, section 6)', () => {
    const rows: { name: string; endpoint: Behaviour[]; attempts: number; log?: RegExp }[] = [
      { name: '200', endpoint: [200], attempts: 1 },
      { name: '204', endpoint: [204], attempts: 1 },
      {
        name: 'connection failure',
        endpoint: ['drop', 'drop', 'drop'],
        attempts: 3,
        log: /3 attempts: the connection was reset/,
      },
      {
        name: 'time-out',
        endpoint: ['hang', 'hang', 'hang'],
        attempts: 3,
        log: /3 attempts: no response within 30 s/,
      },
      { name: '404', endpoint: [404, 404, 404], attempts: 3, log: /3 attempts: it returned 404/ },
      { name: '400', endpoint: [400], attempts: 1, log: /1 attempt: it returned 400/ },
      { name: '401', endpoint: [401], attempts: 1, log: /1 attempt/ },
      { name: '410', endpoint: [410], attempts: 1, log: /1 attempt/ },
      { name: '429', endpoint: [429], attempts: 1, log: /1 attempt/ },
      { name: '500', endpoint: [500], attempts: 1, log: /1 attempt/ },
      { name: '503', endpoint: [503], attempts: 1, log: /1 attempt/ },
      { name: '301, not followed', endpoint: [301, 301, 301], attempts: 3, log: /3 attempts/ },
      { name: '304', endpoint: [304, 304, 304], attempts: 3, log: /3 attempts/ },
      { name: '404, then 200', endpoint: [404, 200], attempts: 2 },
      { name: 'drop, hang, 200', endpoint: ['drop', 'hang', 200], attempts: 3 },
      { name: '404, then 500', endpoint: [404, 500], attempts: 2, log: /2 attempts: it returned 500/ },
    ];
    for (const { name, endpoint, attempts, log: expected } of rows) {
      it(`${name}: ${attempts} attempt${attempts === 1 ? '' : 's'}`, async () => {
        receiver.behaviours = [...endpoint];
        receiver.otherwise = 200;
        let timedOut = 0;
        await settle(sender.send(webhook()), () => {
          const arrived = receiver.received.length;
          if (endpoint[arrived - 1] !== 'hang' || timedOut === arrived) return false;
          timedOut = arrived;
          return true;
        });
        assert.equal(receiver.received.length, attempts);
        assert.equal(waits.length, attempts - 1);
        assert.ok(waits.every((wait) => wait > 0 && wait <= maxDelayMs));
        if (expected === undefined) assert.doesNotMatch(log.join('\n'), /failed/);
        else assert.match(log.join('\n'), expected);
        assert.ok(receiver.received.every(({ path }) => path === '/'));
      });
    }

    it('nobody at the port: 3 attempts', async () => {
      const gone = await Receiver.start();
      const { url } = gone;
      await gone.close();
      await settle(sender.send(webhook([], url)));
      assert.match(log.join('\n'), /3 attempts: nothing listens there/);
    });
  });

  it('signs each attempt anew, with the time it was sent at, under one request id', async () => {
    receiver.behaviours = [404, 404];
    await settle(sender.send(webhook()));
    const times = receiver.received.map(({ headers }) => Number(headers['x-service-webhook-timestamp']));
    assert.deepEqual(
      times,
      times.toSorted((one, other) => one - other),
    );
    assert.equal(times[2], Math.floor(clock.now() / 1000));
    assert.ok(Math.min(...times) < Math.max(...times));
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['x-request-id'])).size, 1);
    for (const [index, { headers, body }] of receiver.received.entries()) {
      assert.equal(verify(headers, body, [secret], times[index]!, 1).verdict, 'verified');
    }
  });

  it('never logs the query of an endpoint, which may hold a credential', async () => {
    receiver.otherwise = 500;
    await settle(sender.send(webhook([], `${receiver.url}/hook?key=abc`)));
    assert.match(log.join('\n'), /\/hook failed/);
    assert.doesNotMatch(log.join('\n'), /abc/);
  });

  it('lets go of an endpoint whose answer has no end, and of one that answers before it has all', async () => {
    const closed: Promise<unknown>[] = [];
    receiver.raw = (request, response) => {
      closed.push(new Promise((resolve) => request.socket.on('close', resolve)));
      response.writeHead(200).write('…');
    };
    await sender.send(webhook());
    await sender.send(webhook(['hang']));
    assert.equal(closed.length, 2);
    await Promise.all(closed);
    assert.doesNotMatch(log.join('\n'), /failed/);
  });

  it('lets no webhook wait for a thousand that hang', async () => {
    const stuck = await Receiver.start();
    stuck.otherwise = 'hang';
    const hanging = Array.from({ length: 1000 }, () => sender.send(webhook([], stuck.url)));
    await stuck.count(1000);
    await sender.send(webhook());
    assert.equal(receiver.received.length, 1);
    sender.stop();
    await Promise.all(hanging);
    await stuck.close();
    assert.deepEqual(
      log.filter((line) => !line.endsWith('returned 200; delivered.')),
      [],
    );
  });

  describe('misbehaves on demand', () => {
    const check = (index = 0) => {
      const { headers, body } = receiver.received[index]!;
      return verify(headers, body, [secret], clock.now() / 1000, 300);
    };

    it('bad-signature', async () => {
      await settle(sender.send(webhook(['bad-signature'])));
      assert.equal(check().verdict, 'mismatch');
    });

    it('stale-timestamp', async () => {
      await settle(sender.send(webhook(['stale-timestamp'])));
      assert.equal(check().verdict, 'stale');
    });

    it('missing-header', async () => {
      await settle(sender.send(webhook(['missing-header'])));
      assert.deepEqual(check(), { verdict: 'malformed', problem: 'timestampMissing' });
    });

    it('body-changed: it is still JSON', async () => {
      await settle(sender.send(webhook(['body-changed'])));
      assert.equal(check().verdict, 'mismatch');
      assert.doesNotThrow(() => JSON.parse(receiver.received[0]!.body.toString()) as unknown);
    });

    it('repeat: the same request id and body once more', async () => {
      await settle(sender.send(webhook(['repeat'])));
      const [first, second] = receiver.received;
      assert.equal(receiver.received.length, 2);
      assert.equal(first!.headers['x-request-id'], second!.headers['x-request-id']);
      assert.deepEqual(first!.body, second!.body);
      assert.equal(check(1).verdict, 'verified');
    });

    it('out-of-order: after the webhook that comes later', async () => {
      const held = sender.send({ ...webhook(['out-of-order']), runId: 'run-0', body: Buffer.from('"held"') });
      await sender.send(webhook());
      await held;
      assert.deepEqual(
        receiver.received.map(({ body }) => body.toString()),
        [webhook().body.toString(), '"held"'],
      );
    });

    it('out-of-order, asked for by every webhook: each second one comes before the first', async () => {
      const send = (runId: string) =>
        sender.send({ ...webhook(['out-of-order']), runId, body: Buffer.from(runId) });
      await Promise.all([send('first'), send('second')]);
      await Promise.all([send('third'), send('fourth')]);
      assert.deepEqual(
        receiver.received.map(({ body }) => body.toString()),
        ['second', 'first', 'fourth', 'third'],
      );
    });

    it('out-of-order: one that was sent before does not count as later', async () => {
      const before = Promise.withResolvers<undefined>();
      receiver.behaviours = [(_, response) => void before.promise.then(() => response.end())];
      const earlier = sender.send(webhook());
      await receiver.count(1);
      const held = sender.send(webhook(['out-of-order']));
      before.resolve(undefined);
      await earlier;
      await nextTurn();
      assert.equal(receiver.received.length, 1);
      await settle(held);
      assert.deepEqual(waits, [5000]);
    });

    it('out-of-order: without a later one after five seconds', async () => {
      await settle(sender.send(webhook(['out-of-order'])));
      assert.deepEqual(waits, [5000]);
      assert.equal(receiver.received.length, 1);
    });

    it('slow: over five seconds, and whole', async () => {
      const startedAt = clock.now();
      await settle(sender.send(webhook(['slow'])));
      assert.equal(clock.now() - startedAt, 5000);
      assert.equal(check().verdict, 'verified');
    });

    it('hang: never whole, so that all three attempts time out', async () => {
      await settle(sender.send(webhook(['hang'])), () => true);
      assert.deepEqual(receiver.received, []);
      assert.match(log.join('\n'), /3 attempts: no response within 30 s/);
    });
  });
});
