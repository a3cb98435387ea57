import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shapeOf } from '../../../../src/model/deliveries/envelopeShape.ts';
import { webhookEnvelope } from '../../../../src/model/deliveries/webhookEnvelope.ts';
import { shapedEnvelope } from '../../../../src/sandbox/webhook/shapedEnvelope.ts';

const now = Date.UTC(2026, 4, 6, 7, 8, 9);
const call = { runId: 'run-own', appName: 'hello', status: 200, result: '{"text":"my answer"}' };
const real = {
  id: '0a6c1f0e-7a35-4a6e-9d2a-3a2b1c0d9e8f',
  event: 'run.completed',
  data: { runId: 'run-real', app: 'resize', status_code: 201, finishedAt: '2026-01-02T03:04:05Z' },
  output: { text: 'a private answer', tokens: 12, images: [{ url: 'https://cdn.example/1.png', width: 3 }] },
  error: null,
  customer: 'ada@example.com',
  paid: true,
  timestamp: 1_767_323_045,
  sentAtMs: 1_767_323_045_123,
};

function sentFor(body: unknown, run = { runId: 'run-real', appName: 'resize' }): unknown {
  return JSON.parse(shapedEnvelope(shapeOf(JSON.stringify(body), run), call, now));
}

/** The fields and types of a value; a list is as its first element, and a null may hold anything. */
function typesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(typesOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([key, one]) => [key, typesOf(one)]);
}

describe('the shape of a real delivery', () => {
  it('is filled with what the sandbox knows of its own run', () => {
    const { id, ...sent } = sentFor(real) as typeof real;
    assert.match(id, /^[\da-f-]{36}$/);
    assert.notEqual(id, real.id);
    assert.deepEqual(sent, {
      event: 'run.completed',
      data: { runId: 'run-own', app: 'hello', status_code: 200, finishedAt: '2026-05-06T07:08:09.000Z' },
      output: { text: 'my answer', tokens: 0, images: [{ url: 'url', width: 0 }] },
      error: null,
      customer: 'customer',
      paid: false,
      timestamp: now / 1000,
      sentAtMs: now,
    });
  });

  it('keeps no value of the delivery, but words that name a kind', () => {
    const kept = JSON.stringify(shapeOf(JSON.stringify(real), { runId: 'run-real', appName: 'resize' }));
    for (const value of ['run-real', 'private', 'cdn.example', 'ada@', '1767323045', real.id, 'resize']) {
      assert.ok(!kept.includes(value), value);
    }
    assert.ok(kept.includes('run.completed'));
  });

  it('that the sandbox sent itself is sent again as it was', () => {
    const own = webhookEnvelope(call, now);
    const shape = shapeOf(own, { runId: call.runId, appName: call.appName });
    assert.equal(shapedEnvelope(shape, call, now), own);
  });

  it('leaves the digits of an answer as they are', () => {
    const shape = shapeOf('{"result":{"id":1}}', {});
    const sent = shapedEnvelope(shape, { ...call, result: '{"id":12345678901234567890}' }, now);
    assert.equal(sent, '{"result":{"id":12345678901234567890}}');
  });

  it('tells of an answer that broke off where a real delivery has a field for that', () => {
    const shape = shapeOf('{"error":null,"more":{"error":"none"}}', {});
    const sent = shapedEnvelope(shape, { ...call, error: 'It broke off.' }, now);
    assert.deepEqual(JSON.parse(sent), { error: 'It broke off.', more: { error: 'It broke off.' } });
  });

  it('takes the answer for no field that holds the id of the run', () => {
    const sent = sentFor({ data: { run: 'run-real', n: 1 } });
    assert.deepEqual(sent, { data: { run: 'run-own', n: 0 } });
  });

  const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'status', 'error', 'constructor', 'id'));
  const bodies = fc.dictionary(keys, fc.jsonValue({ maxDepth: 4 }));

  it('has the fields and types of any object', () => {
    const isOfRun = /null|"(result|output|response|data|payload|body)"/i;
    fc.assert(
      fc.property(bodies, (given) => {
        const body = JSON.stringify(given);
        fc.pre(!isOfRun.test(body));
        const sent = shapedEnvelope(shapeOf(body, {}), call, now);
        assert.deepEqual(typesOf(JSON.parse(sent)), typesOf(JSON.parse(body)));
      }),
    );
  });

  it('has at least these fields where one of them holds the answer, whatever that is', () => {
    fc.assert(
      fc.property(bodies, fc.jsonValue(), fc.jsonValue(), (given, real, own) => {
        const shape = shapeOf(JSON.stringify({ ...given, result: real }), {});
        const sent = JSON.parse(
          shapedEnvelope(shape, { ...call, result: JSON.stringify(own) }, now),
        ) as object;
        assert.deepEqual(new Set(Object.keys(sent)), new Set([...Object.keys(given), 'result']));
      }),
    );
  });

  it('is none of a body that is no object, nests too deep or has too many fields', () => {
    const wrong = ['', 'no JSON', '[1]', 'null', '"text"', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`];
    for (const body of wrong) assert.throws(() => shapeOf(body, {}), /Only a body that is an object of JSON/);
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`f${at}`, at]));
    assert.throws(() => shapeOf(JSON.stringify(many), {}), /more than 1000 fields/);
    assert.throws(() => shapeOf(JSON.stringify({ ['x'.repeat(201)]: 1 }), {}), /longer names/);
  });
});
