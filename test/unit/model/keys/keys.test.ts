import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Key, keyStatus } from '../../../../src/model/keys/key.ts';
import { readKeys } from '../../../../src/model/keys/keys.ts';
import { masked } from '../../../../src/model/masking/masking.ts';
import { jwt } from '../../../support/service/jwt.ts';
import { keyShapes } from '../../../support/service/keyShapes.ts';

const day = 24 * 60 * 60 * 1000;

function plain({ id, name, createdAt, expiresAt }: Key): object {
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt: new Date(createdAt).toISOString() }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

function keysIn(body: unknown): readonly Key[] {
  const list = readKeys(body);
  assert.ok(list.kind === 'keys');
  return list.keys;
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

  it('is read up to bounds of length, width, depth and of each text', () => {
    const many = readKeys(Array.from({ length: 200_000 }, (_, id) => ({ id })));
    assert.ok(many.kind === 'keys' && many.keys.length === 50_000 && many.goesOn === 'tooMany');
    const wide = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`n${at}`, { at }]));
    const [key] = keysIn([
      { id: 'k', name: 'x'.repeat(5_000_000), wide, [`${'n'.repeat(60_000)}token`]: 'hunter2' },
    ]);
    assert.ok(key!.fields.length <= 501 && JSON.stringify(key).length < 50_000);
    assert.ok(!JSON.stringify(key).includes('hunter2'), 'a name that is too long hides no secret');
    assert.equal(keysIn([{ id: 'x'.repeat(1001), name: 'n' }])[0]?.id, undefined);
    let deep: unknown = 'hunter2';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    for (const body of [deep, { key: deep }, [{ id: 'k', token: deep }], { keys: deep }]) readKeys(body);
  });

  it('goes on where the answer names a next page, and not where it says that there is none', () => {
    const keys = [{ id: 'k', next: 'rotation' }];
    for (const more of [
      ...[
        { next: 'https://a.example?page=2' },
        { nextPageToken: 'abc' },
        { next_page: 2 },
        { hasMore: true },
      ],
      ...[{ links: { next: '/keys?page=2' } }, { _links: { next: { href: '/keys' } } }],
      ...[{ pagination: { has_next: true } }, { metadata: { continue: 'abc' } }],
      { meta: { page: { nextCursor: 'c' } } },
    ]) {
      const list = readKeys({ keys, ...more });
      assert.equal(list.kind === 'keys' && list.goesOn, 'nextPage', JSON.stringify(more));
    }
    for (const none of [
      {},
      { next: null },
      { nextPageToken: '' },
      { hasMore: false },
      { links: { next: {} } },
    ]) {
      const list = readKeys({ keys, ...none });
      assert.ok(list.kind === 'keys' && list.goesOn === undefined, JSON.stringify(none));
    }
    const wrapped = readKeys({ data: { keys, hasMore: true } });
    assert.equal(wrapped.kind === 'keys' && wrapped.goesOn, 'nextPage');
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

describe('the state of a key', () => {
  const states: [object, Key['state']][] = [
    [{}, undefined],
    [{ revoked: true }, { kind: 'revoked' }],
    [
      { revoked: false, status: 'ACTIVE' },
      { kind: 'said', word: 'ACTIVE' },
    ],
    [{ revoked_at: '2026-01-02T03:04:05Z' }, { kind: 'revoked' }],
    [{ revoked_at: null }, undefined],
    [{ disabled: true, status: 'active' }, { kind: 'disabled' }],
    [{ enabled: false }, { kind: 'disabled' }],
    [{ isActive: true }, undefined],
    [{ disabled: true, revoked: true }, { kind: 'revoked' }],
    [{ status: 'Revoked' }, { kind: 'revoked' }],
    [{ state: 'DISABLED' }, { kind: 'disabled' }],
    [{ state: 'pending rotation' }, { kind: 'said', word: 'pending rotation' }],
    [{ metadata: { state: 'revoked' } }, { kind: 'revoked' }],
    [{ owner: { status: 'revoked', disabled: true } }, undefined],
    [{ status: { code: 7 } }, undefined],
    [{ status: 'x'.repeat(41) }, undefined],
    [{ status: 'Bearer abcdefgh' }, { kind: 'said', word: `Bearer ${masked}` }],
  ];
  for (const [fields, state] of states) {
    it(`of ${JSON.stringify(fields)}`, () =>
      assert.deepEqual(keysIn([{ id: 'k', ...fields }])[0]?.state, state));
  }
});
