import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { firstFixtures } from '../../../src/suite/fixture/savedFixture.ts';
import { readFixture } from '../../../src/suite/fixture/readFixture.ts';
import { variantsOf } from '../../../src/suite/run/variant.ts';

const now = Date.UTC(2026, 0, 1);
const delivery = (body: unknown, more: Partial<WholeDelivery> = {}): WholeDelivery =>
  ({
    id: 'd-1',
    verdict: 'verified',
    appName: 'pay',
    runId: 'run-real',
    method: 'POST',
    path: '/hooks/pay?x=1',
    headers: {
      'x-acme-webhook-timestamp': '1767225600',
      'x-acme-webhook-signature': 'v1,00',
      cookie: 'private',
    },
    body: JSON.stringify(body),
    ...more,
  }) as WholeDelivery;
const read = (suite: ReturnType<typeof firstFixtures>) =>
  suite.map(({ name, text }) => {
    const fixture = readFixture(text, `${name}.delivery.json`);
    return {
      name,
      fixture,
      text,
      variants: variantsOf(fixture).map(({ kind, expect }) => [kind, expect.status]),
    };
  });

describe('the first fixtures of an app', () => {
  it('are six: what it has to take, and what it has to refuse', () => {
    const suite = read(
      firstFixtures('My Pay', delivery({ run_id: 'run-real', output: { name: 'Zoë' } }), now),
    );
    assert.deepEqual(
      suite.map(({ name, variants }) => [name, ...variants]),
      [
        ['my-pay-ok', ['as it is', '2xx']],
        ['my-pay-repeat', ['repeat', '2xx']],
        ['my-pay-concurrent', ['concurrent', '2xx']],
        ['my-pay-bad-signature', ['bad-signature', '4xx']],
        ['my-pay-stale', ['stale', '4xx']],
        ['my-pay-malformed', ['as it is', '2xx or 4xx']],
      ],
    );
  });

  it('send the body of a real delivery under the header names of its vendor, without its credentials', () => {
    const body = { run_id: 'run-real', output: { name: 'Zoë', n: 12 }, event: 'run.done' };
    const [ok, , , , , malformed] = read(firstFixtures('pay', delivery(body), now));
    assert.deepEqual(JSON.parse(ok!.fixture.bytes.toString()), body);
    assert.equal(ok!.fixture.app, 'pay');
    assert.deepEqual(ok!.fixture.headers, {
      'content-type': 'application/json',
      'x-acme-webhook-timestamp': '1767225600',
    });
    assert.ok(!ok!.text.includes('private'));
    assert.throws(() => JSON.parse(malformed!.fixture.bytes.toString()) as unknown);
  });

  it('have the fields of the sandbox where nothing has arrived yet', () => {
    const [ok] = read(firstFixtures('pay', undefined, now));
    const body = JSON.parse(ok!.fixture.bytes.toString()) as object;
    assert.deepEqual(Object.keys(body), ['run_id', 'app_name', 'status', 'result', 'timestamp']);
    assert.equal(ok!.fixture.path, '/');
  });

  it('cannot be made of a body that is no object of JSON', () => {
    assert.throws(() => firstFixtures('pay', delivery([1]), now), /body is a JSON object/);
  });

  it('are fixtures whatever was delivered', () => {
    const body = fc.dictionary(fc.oneof(fc.string(), fc.constant('base64')), fc.jsonValue({ maxDepth: 4 }));
    fc.assert(
      fc.property(body, fc.string({ minLength: 1, maxLength: 200 }), fc.webPath(), (one, app, path) => {
        const suite = read(firstFixtures(app, delivery(one, { path: `/${path}` }), now));
        assert.equal(suite.length, 6);
        const [ok, , , , , malformed] = suite;
        assert.equal(`${malformed!.fixture.bytes.toString()}}`, ok!.fixture.bytes.toString());
      }),
    );
  });
});
