import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addressOfApp } from '../../../src/service/runs/appAddress.ts';
import { readFixture } from '../../../src/suite/fixture/readFixture.ts';
import { fixtureName, fixtureText } from '../../../src/suite/fixture/savedFixture.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';

const delivery = deliveryOf('d-1', {
  appName: 'hello',
  runId: 'run-1',
  path: '/hooks?a=1',
  headers: {
    host: '127.0.0.1:8787',
    connection: 'keep-alive',
    'content-length': '9',
    'content-type': 'application/json',
    authorization: 'Bearer abc',
    'x-request-id': 'r-1',
    'x-acme-webhook-timestamp': '1700000000',
    'x-acme-webhook-signature': `v1,${'0'.repeat(64)}`,
  },
  body: '{"n":1,"list":[]}',
});

const saved = (change: object) => readFixture(fixtureText({ ...delivery, ...change }), 'a.delivery.json');

describe('a delivery that is saved as a fixture', () => {
  it('is a file that people can read and change: no credentials, no signature', () => {
    assert.deepEqual(JSON.parse(fixtureText(delivery)), {
      app: 'hello',
      method: 'POST',
      path: '/hooks?a=1',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'r-1',
        'x-acme-webhook-timestamp': '1700000000',
      },
      body: { n: 1, list: [] },
      expect: { status: '2xx' },
    });
  });

  it('has the path of the handler, where its address has one', () => {
    const forward = (to: string) => ({ forward: { to, status: 200, durationMs: 1 } });
    assert.equal(saved(forward('http://localhost:3000/webhook?key=own')).path, '/webhook');
    assert.equal(saved(forward('http://localhost:3000/hooks?a=1')).path, '/hooks?a=1');
  });

  it('says that it was made here', () => {
    const { madeHere } = JSON.parse(fixtureText({ ...delivery, madeHere: true })) as { madeHere?: true };
    assert.deepEqual(
      [madeHere, saved({ madeHere: true }).madeHere, saved({}).madeHere],
      [true, true, undefined],
    );
  });

  it('has a body of JSON as JSON, though it came with white space, where that is all that it loses', () => {
    const body = (text: string) =>
      (JSON.parse(fixtureText({ ...delivery, body: text })) as { body: unknown }).body;
    assert.deepEqual(body('{\n  "a b": " \\" ", "n": [1, 2]\n}\n'), { 'a b': ' " ', n: [1, 2] });
    for (const text of ['{"n": 1.0}', '{"a": 1, "a": 2}', '{"n": 12345678901234567890}']) {
      assert.equal(body(text), text);
    }
  });

  it('keeps every byte of any other body', () => {
    const texts = fc.oneof(
      fc.json(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('{"base64":"AA=="}', '[1.0]', '"a"'),
    );
    fc.assert(fc.property(texts, (body) => assert.equal(saved({ body }).bytes.toString(), body)));
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const body = Buffer.from(bytes).toString('base64');
        assert.deepEqual(saved({ body, bodyEncoding: 'base64' }).bytes, Buffer.from(bytes));
      }),
    );
  });

  it('goes to the path of the handler, without what a run added, and leaves out what no file can say', () => {
    const { pathname } = new URL(addressOfApp('http://127.0.0.1/hooks', 'hello'));
    assert.equal(saved({ path: pathname }).path, '/hooks');
    assert.equal(saved({ path: '//elsewhere/' }).path, '/');
    assert.equal(saved({ appName: 'x'.repeat(300) }).app, undefined);
  });

  it('gets a file name of plain letters', () => {
    assert.equal(fixtureName(delivery), 'hello-run-1');
    assert.equal(fixtureName({ ...delivery, appName: '../../etc', runId: '$(x)\u202e' }), 'etc-x');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (runId) => {
        assert.match(fixtureName({ ...delivery, runId }), /^[a-z0-9-]{1,80}$/);
      }),
    );
  });
});
