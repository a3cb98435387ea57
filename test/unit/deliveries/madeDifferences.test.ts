import assert from 'node:assert/strict';
import { madeDifferences } from '../../../src/deliveries/madeDifferences.ts';

const signed = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'r-1',
  'x-acme-webhook-timestamp': '1790000000',
  'x-acme-webhook-signature': `v1,${'0'.repeat(64)}`,
};

describe('what a delivery of the service has otherwise than one that is made here', () => {
  const response = '{"run_id":"r","result":{"n":1.0,"list":[{"a":1},{"a":2}]},"timestamp":1}';
  const rows: [body: string, differences: string[]][] = [
    [response, []],
    ['{"timestamp":2,"result":{"n":1.0,"list":[{"a":1},{"a":2}]},"run_id":"other"}', []],
    ['{"run_id":"r","result":{"n":1.0,"list":[{"a":1},{"a":2}]},"timestamp":"1"}', ['$.timestamp']],
    ['{"run_id":"r","result":{"n":1.0,"list":[{"a":1}]},"timestamp":1}', ['$.result.list']],
    [
      '{"run_id":"r","result":{"n":2,"list":[{"a":1},{"a":3}]},"timestamp":1}',
      ['$.result.n', '$.result.list[1].a'],
    ],
    [
      '{"result":{"n":1.0,"list":[{"a":1},{"a":2}]},"timestamp":1,"the app":"x"}',
      ['$.run_id', '$["the app"]'],
    ],
    ['not JSON', ['$']],
  ];
  for (const [body, differences] of rows) {
    it(`is ${differences.join(', ') || 'nothing'}: ${body.slice(0, 70)}`, () => {
      assert.deepEqual(madeDifferences(response, { headers: signed, body }), differences);
    });
  }

  it('is a body that is no text, another type, and a header that no proxy adds', () => {
    const headers = { ...signed, 'content-type': 'text/plain', 'x-run-id': 'r', 'cf-ray': '1', via: '1.1 x' };
    const differences = madeDifferences(response, { headers, body: 'AA==', bodyEncoding: 'base64' });
    assert.deepEqual(differences, ['$', 'x-run-id', 'content-type']);
  });

  it('is nothing of a text that is no JSON and the same', () => {
    assert.deepEqual(madeDifferences('text', { headers: signed, body: 'text' }), []);
  });

  it('is bounded, however many there are', () => {
    const many = JSON.stringify(
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, at])),
    );
    assert.equal(madeDifferences('{}', { headers: signed, body: many }).length, 20);
    assert.deepEqual(madeDifferences('{}', { headers: signed, body: many.repeat(5) }), []);
  });
});
