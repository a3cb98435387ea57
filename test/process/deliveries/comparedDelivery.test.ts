import assert from 'node:assert/strict';
import { comparedDocument } from '../../../src/deliveries/comparedDelivery.ts';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { hostileInputs } from '../../support/untrusted/hostileInputs.ts';

const shown = (delivery: WholeDelivery, first = delivery, secrets: string[] = []): string =>
  comparedDocument(delivery, first, secrets);
const bodyOf = (text: string): unknown => (JSON.parse(text) as { body: unknown }).body;
const binary = (bytes: Buffer): WholeDelivery =>
  deliveryOf('b', { body: bytes.toString('base64'), bodyEncoding: 'base64', bytes: bytes.length });

describe('a delivery that is compared', () => {
  const first = deliveryOf('d-1', { headers: { b: '1', a: '2' }, body: '{"z":1,"a":{"y":1,"b":2}}' });

  it('has its headers in one order, and the keys of its body in the order of the first', () => {
    const second = deliveryOf('d-2', {
      headers: { c: '3', a: '2', b: '1' },
      body: '{"a":{"b":20000000000000000001,"y":1.0},"new":0,"z":1}',
    });
    const text = shown(second, first);
    assert.match(text, /"headers": \{\n {4}"a": "2",\n {4}"b": "1",\n {4}"c": "3"\n/);
    assert.ok(
      text.includes(
        '"body": {\n    "z": 1,\n    "a": {\n      "y": 1.0,\n      "b": 20000000000000000001\n    },\n    "new": 0\n  },\n',
      ),
      text,
    );
  });

  it('differs from another in what was sent alone', () => {
    const same = deliveryOf('d-2', {
      ...{ receivedAt: '2026-11-20T13:00:00.000Z', requestId: 'r', repeatOf: 'd-1' },
      ...{ headers: { a: '2', b: '1' }, body: '{"a":{"b":2,"y":1},"z":1}' },
      forward: { to: 'http://127.0.0.1:1/', durationMs: 5, status: 500 },
    });
    assert.equal(shown(same, first), shown(first));
    assert.notEqual(shown({ ...same, verdict: 'mismatch', reason: 'why' }, first), shown(first));
  });

  it('does not differ in what the service writes anew each time, unless one lacks it', () => {
    const sent = (id: string, more: object = {}) =>
      deliveryOf('d', {
        headers: {
          ...{ date: id, 'x-request-id': id, 'content-length': id, 'content-type': 'application/json' },
          ...{ 'x-service-webhook-timestamp': id, 'x-service-webhook-signature': `v1,${id}`, ...more },
        },
        body: `{"run_id":"${id}","timestamp":${id.length},"result":{"timestamp":"of the app"}}`,
      });
    const [one, other] = [sent('1'), sent('22')];
    assert.equal(shown(other, one), shown(one));
    assert.match(
      shown(one),
      /"run_id": "…",\n {4}"timestamp": "…",\n {4}"result": \{\n {6}"timestamp": "of the app"/,
    );
    assert.notEqual(shown(sent('22', { 'x-new': 'a' }), one), shown(one));
    assert.match(shown(one, deliveryOf('d', { body: '{"result":1}' })), /"run_id": "1"/);
  });

  it('is a list of lines where it is text, and of a dump where it is none', () => {
    assert.deepEqual(bodyOf(shown(deliveryOf('t', { body: 'a=1\nb=2\n' }), first)), ['a=1', 'b=2']);
    assert.equal(bodyOf(shown(deliveryOf('t', { body: 'a=1&b=2' }), first)), 'a=1&b=2');
    const dump = bodyOf(shown(binary(Buffer.from([0xff, 0, 0x41])), first)) as string[];
    assert.match(dump.join(), /^00000000 {2}ff 00 41 +\.\.A$/);
  });

  it('differs where two bodies differ behind the end of the dump', () => {
    const [one, other] = [Buffer.alloc(2 << 20, 0xff), Buffer.alloc(2 << 20, 0xff)];
    other[other.length - 1] = 0xfe;
    assert.notEqual(shown(binary(other), binary(one)), shown(binary(one)));
    assert.equal(shown(binary(one), binary(other)), shown(binary(one)));
  });

  it('tells no credential and no held secret, as text, in lines or in bytes', () => {
    const headers = { authorization: 'Bearer abc', 'x-echo': 'held secret' };
    const bodies = ['{"echo":"held secret"}', 'two lines\nheld secret', 'held\nsecret'];
    for (const body of bodies) {
      const text = shown(deliveryOf('d', { headers, body }), first, ['held secret', 'held\nsecret', '']);
      assert.doesNotMatch(text, /abc|held|secret/);
    }
    const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from('0123456789held secret')]);
    const dump = (bodyOf(shown(binary(bytes), first, ['held secret'])) as string[]).join('');
    assert.doesNotMatch(dump, /held|ret/);
    assert.ok(!dump.includes('68 65 6c 64'), dump);
    assert.match(dump, /0123456789\*/);
  });

  it('stands any body: huge, deep, or made to be slow', () => {
    const texts = [
      ...hostileInputs.map(({ text }) => text(1 << 20)),
      '['.repeat(1 << 20) + ']'.repeat(1 << 20),
    ];
    for (const body of texts) {
      const delivery = deliveryOf('d', { body });
      const made = shown(delivery, first);
      assert.doesNotThrow(() => void JSON.parse(made), body.slice(0, 50));
    }
  });
});
