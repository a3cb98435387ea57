import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { deliveryDocument } from '../../../src/deliveries/deliveryDocument.ts';
import { hexDump } from '../../../src/deliveries/deliveryBody.ts';

const delivery: WholeDelivery = {
  id: 'd-1',
  receivedAt: '2026-11-20T12:00:00.000Z',
  verdict: 'verified',
  runId: 'run-1',
  appName: 'hello',
  method: 'POST',
  path: '/hooks?a=1',
  headers: { 'content-type': 'application/json', authorization: 'Bearer abc', 'x-echo': 'held' },
  body: '{"n":1.50,"id":12345678901234567890,"list":[],"text":"h\\u00e9"}',
  bytes: 60,
  answered: 200,
};

describe('the document of a delivery', () => {
  it('is JSON with the body laid out as it is written', () => {
    const text = deliveryDocument(delivery, []);
    assert.doesNotThrow(() => void JSON.parse(text));
    assert.match(text, /^ {4}"n": 1\.50,$/m);
    assert.match(text, /^ {4}"id": 12345678901234567890,$/m);
    assert.match(text, /^ {4}"list": \[\],$/m);
    assert.match(text, /^ {4}"text": "h\\u00e9"$/m);
  });

  it('shows any other body as a text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (body) => {
        const shown = JSON.parse(deliveryDocument({ ...delivery, body }, [])) as { body: unknown };
        const json = isJson(body);
        assert.deepEqual(shown.body, json === undefined ? body : json.value);
      }),
    );
  });

  it('takes a body of any size: what is too long to be laid out is shown as it is', () => {
    const count = 1024 * 1024;
    const bodies = [
      '['.repeat(count) + ']'.repeat(count),
      `[${'0,'.repeat(count)}0]`,
      `"${'\\"'.repeat(count)}"`,
      `{"a":"${'\\u00e9'.repeat(count)}"}`,
    ];
    for (const body of bodies) {
      const shown = JSON.parse(deliveryDocument({ ...delivery, body }, [])) as { body: unknown };
      assert.ok(shown.body === body || JSON.stringify(shown.body) === JSON.stringify(JSON.parse(body)));
    }
    assert.match(
      deliveryDocument({ ...delivery, body: bodies[1]! }, []),
      /"bodyNote": "It has too many values/,
    );
    assert.ok(!deliveryDocument(delivery, []).includes('bodyNote'));
  });

  it('masks credentials and held secrets, not the rest', () => {
    const text = deliveryDocument({ ...delivery, body: '{"echo":"a \\"held\\" secret"}' }, [
      'held',
      'a "held" secret',
      '',
    ]);
    assert.doesNotMatch(text, /abc|held/);
    assert.match(text, /application\/json/);
  });
});

describe('the dump of a body that is no text', () => {
  it('shows offset, bytes and printable characters', () => {
    assert.equal(
      hexDump(Buffer.from('\0\x01hello, world 123'), 1024),
      '00000000  00 01 68 65 6c 6c 6f 2c 20 77 6f 72 6c 64 20 31  ..hello, world 1\n' +
        '00000010  32 33                                            23\n',
    );
  });

  it('ends at its limit and says how much is left', () => {
    assert.match(hexDump(Buffer.alloc(100), 16), /^00000000 .*\n… 84\n$/);
  });
});

function isJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
