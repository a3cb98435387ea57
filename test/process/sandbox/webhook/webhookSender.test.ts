import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { maxDelayMs } from '../../../../src/model/service/webhookAttempt.ts';
import type { SandboxFault } from '../../../../src/model/service/sandboxFault.ts';
import { verify } from '../../../../src/webhooks/signature/signature.ts';
import { type Webhook, WebhookSender } from '../../../../src/sandbox/webhook/webhookSender.ts';
import { type Behaviour, Receiver } from '../../../support/http/receiver.ts';
import { TestClock } from '../../../support/time/testClock.ts';

const secret = 'held';

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
        log: /3 attempts: socket/,
      },
      {
        name: 'time-out',
        endpoint: ['hang', 'hang', 'hang'],
        attempts: 3,
        log: /3 attempts: no answer within 30 s/,
      },
      { name: '404', endpoint: [404, 404, 404], attempts: 3, log: /3 attempts: it was answered 404/ },
      { name: '400', endpoint: [400], attempts: 1, log: /1 attempt: it was answered 400/ },
      { name: '401', endpoint: [401], attempts: 1, log: /1 attempt/ },
      { name: '410', endpoint: [410], attempts: 1, log: /1 attempt/ },
      { name: '429', endpoint: [429], attempts: 1, log: /1 attempt/ },
      { name: '500', endpoint: [500], attempts: 1, log: /1 attempt/ },
      { name: '503', endpoint: [503], attempts: 1, log: /1 attempt/ },
      { name: '301, not followed', endpoint: [301, 301, 301], attempts: 3, log: /3 attempts/ },
      { name: '304', endpoint: [304, 304, 304], attempts: 3, log: /3 attempts/ },
      { name: '404, then 200', endpoint: [404, 200], attempts: 2 },
      { name: 'drop, hang, 200', endpoint: ['drop', 'hang', 200], attempts: 3 },
      { name: '404, then 500', endpoint: [404, 500], attempts: 2, log: /2 attempts: it was answered 500/ },
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
      assert.match(log.join('\n'), /3 attempts: .*ECONNREFUSED/);
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
      log.filter((line) => !line.endsWith('answered 200; delivered.')),
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
      assert.match(log.join('\n'), /3 attempts: no answer within 30 s/);
    });
  });
});
