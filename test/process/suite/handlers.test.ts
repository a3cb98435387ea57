import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Clock, systemClock } from '../../../src/shared/async/clock.ts';
import { readFixture } from '../../../src/suite/fixture/readFixture.ts';
import { patient, variantsOf } from '../../../src/suite/run/variant.ts';
import { runVariant, type VariantResult } from '../../../src/suite/run/runVariant.ts';
import { sendRequest } from '../../../src/deliveries/sendRequest.ts';
import { verify } from '../../../src/service/signature/signature.ts';
import { type Received, Receiver } from '../../support/http/receiver.ts';

const secret = 'a secret of the test';

describe('handlers, and what fixtures find of them', () => {
  let app: Receiver;
  beforeEach(async () => (app = await Receiver.start()));
  afterEach(() => app.close());

  /** Runs variants of a file one after the other, as a suite does. */
  async function run(
    file: object,
    { isDebugged = false, clock = systemClock } = {},
  ): Promise<Record<string, VariantResult>> {
    const fixture = readFixture(JSON.stringify({ body: { n: 1 }, ...file }), 'a.delivery.json');
    const target = { to: new URL(app.url), secret, clock, signal: AbortSignal.timeout(60_000) };
    const results: Record<string, VariantResult> = {};
    for (const variant of variantsOf(fixture)) {
      results[variant.name] = await runVariant(
        fixture,
        isDebugged ? patient(variant) : variant,
        'an-id',
        target,
      );
    }
    return results;
  }
  const messagesOf = (results: Record<string, VariantResult>): string[] =>
    Object.values(results).flatMap(({ failures }) => failures.map(({ message }) => message));
  const isVerified = ({ headers, body }: Pick<Received, 'headers' | 'body'>): boolean =>
    verify(headers, body, [secret], Date.now() / 1000, 300).verdict === 'verified';
  /** Takes what verifies; what it makes of it, it may do later. */
  function handler(take: (id: string, response: ServerResponse) => void, state: () => string): void {
    app.otherwise = (request, response) => {
      if (request.method === 'GET') {
        response.end(state());
        return;
      }
      const came = app.received.at(-1)!;
      if (isVerified(came)) take(String(came.headers['x-request-id']), response);
      else response.writeHead(401).end();
    };
  }

  it('that work after their answer are found to work twice', async () => {
    let count = 0;
    handler(
      (_, response) => {
        response.end();
        setTimeout(() => (count += 1), 100);
      },
      () => String(count),
    );
    const results = await run({
      expect: { after: { get: '/count', bodyContains: '1' } },
      variants: ['as it is', 'repeat'],
    });
    assert.equal(results['as it is']?.outcome, 'passed');
    assert.equal(results['repeat']?.outcome, 'failed');
  });

  it('that take each delivery once pass, whatever they say to what they have', async () => {
    const done = new Set<string>();
    handler(
      (id, response) => {
        response.writeHead(done.has(id) ? 200 : 201).end(done.has(id) ? 'duplicate' : 'created');
        done.add(id);
      },
      () => [...done].join(),
    );
    const expect = { status: 201, bodyContains: 'created' };
    assert.deepEqual(messagesOf(await run({ expect, variants: 'all' })), []);
  });

  it('that take two at once twice are found, unless they look up and remember in one step', async () => {
    const states: Record<string, (done: string[]) => string> = {
      'a number': (done) => `{"count": ${done.length}}`,
      'a list': (done) => JSON.stringify(done),
    };
    for (const [name, state] of Object.entries(states)) {
      for (const isHasty of [false, true]) {
        const done: string[] = [];
        const begun = new Set<string>();
        /** What is at work, by its request id. */
        const atWork = new Map<string, () => void>();
        handler(
          (id, response) => {
            const isKnown = isHasty ? done.includes(id) : begun.has(id);
            begun.add(id);
            const end = (): void => {
              if (!isKnown) done.push(id);
              response.end();
            };
            // It works until the other of two has come, or long enough to see that there is none.
            const other = atWork.get(id);
            atWork.delete(id);
            if (other !== undefined) {
              other();
              end();
              return;
            }
            const timer = setTimeout(() => {
              atWork.delete(id);
              end();
            }, 500);
            atWork.set(id, () => {
              clearTimeout(timer);
              end();
            });
          },
          () => state(done),
        );
        const after = { get: '/done' };
        const results = await run({ expect: { after }, variants: ['repeat', 'concurrent'] });
        assert.equal(results['repeat']?.outcome, 'passed', name);
        const { outcome, failures } = results['concurrent']!;
        const [failure] = failures;
        assert.equal(outcome, isHasty ? 'failed' : 'passed', `${name} ${failure?.message}`);
        if (isHasty) assert.match(failure?.cause ?? '', /both deliveries that arrived at once/);
      }
    }
  });

  it('that are debugged are asked for seconds what became of a delivery, and not for minutes', async () => {
    app.otherwise = (_, response) => response.end('none');
    const expect = { after: { get: '/', bodyContains: 'never', within: 300 } };
    let waited = 0;
    const clock: Clock = {
      now: () => waited,
      after(ms, callback) {
        waited += ms;
        return systemClock.after(0, callback);
      },
    };
    const [message = ''] = messagesOf(await run({ expect }, { isDebugged: true, clock }));
    assert.match(message, /afterwards: Expected a response that contains "never", got "none"/);
    assert.ok(waited <= 5000, `${waited} ms`);
  });

  it('that change the protocol give no answer', async () => {
    app.otherwise = (_, response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    };
    assert.match(messagesOf(await run({}))[0] ?? '', /got no response: your handler disconnected/);
    const request = { url: new URL(app.url), method: 'CONNECT', rawHeaders: [], body: new Uint8Array() };
    await assert.rejects(sendRequest(request));
    assert.throws(() => readFixture('{"method": "CONNECT", "body": ""}', 'a.delivery.json'));
  });

  it('that break off their answer are not told to be slow', async () => {
    app.otherwise = (_, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('begun', () => response.destroy());
    };
    assert.deepEqual(messagesOf(await run({})), ['The response began, but broke off before its end.']);
  });

  it('that compress are not asked to, and what is no text is told as that', async () => {
    app.otherwise = (_, response) => response.end(gzipSync('queued'));
    const results = await run({
      headers: { 'Accept-Encoding': 'gzip' },
      expect: { bodyContains: 'queued' },
    });
    assert.equal(app.received[0]?.headers['accept-encoding'], undefined);
    assert.match(messagesOf(results)[0] ?? '', /contains "queued", but it is not text\.$/);
  });

  it('that answer with the secret show no part of it', async () => {
    app.otherwise = (_, response) => response.end(`${'x'.repeat(190)} ${secret}`);
    const results = await run({ expect: { bodyContains: 'queued' } });
    assert.doesNotMatch(JSON.stringify(results), /a secret/);
  });

  it('that the file itself wants to take what is stale are not blamed for it', async () => {
    app.otherwise = 202;
    const variants = [{ name: 'stale', expect: { status: 200 } }];
    const [failure] = (await run({ variants }))['stale']?.failures ?? [];
    assert.equal(failure?.cause, undefined);
  });

  it('that hang cost what the file says, for both of two deliveries', async () => {
    app.otherwise = 'hang';
    const variants = [{ name: 'repeat', expect: { status: '2xx' } }];
    const results = await run({ expect: { within: 100 }, variants });
    assert.match(messagesOf(results)[0] ?? '', /no response within 100 ms/);
  });
});
