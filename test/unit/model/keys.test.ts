import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Key, keyStatus } from '../../../src/model/key.ts';
import { readKeys } from '../../../src/model/keys.ts';
import { masked } from '../../../src/model/masking.ts';
import { jwt } from '../../support/jwt.ts';
import { keyShapes } from '../../support/keyShapes.ts';

const day = 24 * 60 * 60 * 1000;

function plain({ id, name, createdAt, expiresAt }: Key): object {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

describe('a list of keys', () => {
  for (const { name, body, keys, count } of keyShapes) {
    it(`is read as far as it can be: ${name}`, () => {
      const list = readKeys(body);
      if (keys === undefined) {
        assert.deepEqual([list.kind, 'count' in list ? list.count : undefined], ['unrecognised', count]);
      } else {
        assert.deepEqual(list.kind === 'keys' && list.keys.map(plain), keys);
      }
    });
  }

  it('keeps fields that it does not know', () => {
    const list = readKeys([{ id: 'k', scopes: ['run', 'read'], owner: { mail: 'a@b.example' } }]);
    assert.deepEqual(list.kind === 'keys' && list.keys[0]?.fields, [
      { name: 'id', text: 'k' },
      { name: 'scopes', text: '["run","read"]' },
      { name: 'owner.mail', text: 'a@b.example' },
    ]);
  });

  it('holds no secret any more, wherever one was', () => {
    const secrets = [jwt({ sub: 'x' }), 'whsec_c2VjcmV0LW9mLW1pbmU0Mg', 'a3f9c0de'.repeat(8), 'hunter2'];
    const [token, prefixed, hex, password] = secrets;
    const body = {
      keys: [
        { id: 'k-1', name: `name with ${token!}`, note: `x ${prefixed!} y`, deep: { er: [hex] } },
        { id: token, key: password, [hex!]: 1, description: `Bearer ${password!}-and-more` },
      ],
    };
    const shown = JSON.stringify([readKeys(body), readKeys({ token: password, x: hex })]);
    for (const secret of secrets) assert.ok(!shown.includes(secret), secret);
    assert.ok(shown.includes(masked));
  });

  it('is read without a throw, whatever it holds', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (body) => {
        readKeys(body);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        readKeys({ data: body });
      }),
    );
    let deep: unknown = [];
    for (let depth = 0; depth < 5000; depth += 1) deep = { data: deep };
    readKeys(deep);
    readKeys([{ id: 'k', deep }]);
  });
});

describe('the status of a key', () => {
  const now = Date.parse('2026-11-20T00:00:00Z');
  for (const [days, status] of [
    [-1, 'expired'],
    [0, 'expired'],
    [1, 'expiring'],
    [14, 'expiring'],
    [15, 'valid'],
  ] as const) {
    it(`${days.toString()} days from now → ${status}`, () => {
      assert.equal(keyStatus(now + days * day, now, 14), status);
    });
  }
  it('no expiry → unknown', () => assert.equal(keyStatus(undefined, now, 14), 'unknown'));
});
