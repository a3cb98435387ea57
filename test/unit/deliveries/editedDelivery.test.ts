import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DeliveryEdit } from '../../../src/contract/deliveryEdit.ts';
import { editedDelivery } from '../../../src/deliveries/editedDelivery.ts';

const kept = {
  method: 'POST',
  rawHeaders: ['Content-Type', 'application/json', 'X-Tag', 'a', 'Connection', 'close', 'x-tag', 'b'],
  body: Buffer.from('{}'),
};
const edited = (edit: DeliveryEdit, mostBytes = 100) => editedDelivery(kept, edit, mostBytes);

describe('a delivery that was edited', () => {
  it('has all else as it came', () => {
    assert.deepEqual(edited({}), kept);
    assert.deepEqual(edited({ headers: {} }), kept);
    assert.deepEqual(edited({ body: 'new' }), { ...kept, body: Buffer.from('new') });
  });

  it('has a header in place of all of that name, where the first stood, and new ones last', () => {
    assert.deepEqual(edited({ headers: { 'X-TAG': 'c', 'X-New': '1' } }).rawHeaders, [
      ...['Content-Type', 'application/json', 'X-Tag', 'c', 'Connection', 'close', 'X-New', '1'],
    ]);
  });

  it('leaves out a header that is null', () => {
    const { rawHeaders } = edited({ headers: { 'x-tag': null, 'x-none': null } });
    assert.deepEqual(rawHeaders, ['Content-Type', 'application/json', 'Connection', 'close']);
  });

  it('has the bytes of a body in base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const body = Buffer.from(bytes);
        assert.deepEqual(edited({ body: body.toString('base64'), bodyEncoding: 'base64' }).body, body);
      }),
    );
  });

  for (const name of ['Content-Length', 'Host', 'Transfer-Encoding', 'CONNECTION', 'Expect', 'upgrade']) {
    it(`takes no ${name} from an edit: it is made anew`, () => {
      for (const value of ['5', null]) {
        assert.deepEqual(edited({ headers: { [name]: value } }).rawHeaders, kept.rawHeaders);
      }
    });
  }

  for (const [name, value] of [
    ['x y', ''],
    ['', ''],
    ['x:', ''],
    ['x', 'a\r\ny: b'],
    ['x', '…'],
  ] as const) {
    it(`refuses ${JSON.stringify({ [name]: value })}`, () => {
      assert.throws(() => edited({ headers: { [name]: value } }), /header/);
    });
  }

  it('is as long as what arrives may be, and no longer', () => {
    assert.equal(edited({ body: 'ü'.repeat(50) }).body.length, 100);
    assert.throws(() => edited({ body: 'ü'.repeat(51) }), /has 102 bytes\. A delivery may have at most 100/);
    assert.throws(() => edited({ headers: { x: 'a'.repeat(16 * 1024) } }), /All headers together/);
  });
});
