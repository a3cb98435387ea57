import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Key, keyStatus } from '../../../src/service/keys/key.ts';
import { readKeys } from '../../../src/service/keys/keys.ts';
import { masked } from '../../../src/shared/masking/likelySecrets.ts';
import { findTokenLeaks } from '../../../src/leaks/tokenLeaks.ts';
import { jwt } from '../../support/service/jwt.ts';
import { keyShapes } from '../../support/service/keyShapes.ts';
import { assertLinear } from '../../support/time/assertLinear.ts';

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
      ...[{ totalPages: 3 }, { page: { size: 1, totalPages: 3, number: 0 } }, { last: false }, { total: 50 }],
      ...[{ meta: { total: '50' } }, { count: 2 }, { hits: 1, total: { value: 9 } }, { isLastPage: false }],
      { metadata: { remainingItemCount: 4 } },
      { result_info: { page: 1, per_page: 20, count: 1, total_count: 50 } },
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
      ...[{ totalPages: 1 }, { last: true }, { total: 1 }, { count: 1, limit: 50, size: 20, page: 1 }],
    ]) {
      const list = readKeys({ keys, ...none });
      assert.ok(list.kind === 'keys' && list.goesOn === undefined, JSON.stringify(none));
    }
    const wrapped = readKeys({ data: { keys, hasMore: true } });
    assert.equal(wrapped.kind === 'keys' && wrapped.goesOn, 'nextPage');
  });

  it('is read whole, with nothing invented, whatever it is wrapped in and however it writes dates', () => {
    const seconds = fc.integer({ min: 1_500_000_000, max: 2_500_000_000 });
    const writers: ((at: number) => unknown)[] = [
      (at) => new Date(at * 1000).toISOString(),
      (at) => new Date(at * 1000).toISOString().replace('T', ' ').replace('.000Z', '+00'),
      (at) => at,
      (at) => at * 1000,
      (at) => String(at),
      (at) => ({ _seconds: at, _nanoseconds: 0 }),
      (at) => ({ $date: { $numberLong: String(at * 1000) } }),
      (at) => ({ $date: new Date(at * 1000).toISOString() }),
      (at) => ({ date: new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' '), timezone: 'UTC' }),
    ];
    const entry = fc.record({
      id: fc.oneof(
        fc.uuid(),
        fc.string({ minLength: 32, maxLength: 64, unit: fc.constantFrom('a', '7', 'f', '0') }),
      ),
      expiresAt: fc.option(seconds, { nil: undefined }),
      createdAt: fc.option(seconds, { nil: undefined }),
    });
    const beside = {
      _links: { self: { href: '/k' } },
      page: { number: 0 },
      account: { id: 'a', name: 'b', exp: 2e9 },
    };
    const wrappers: ((list: unknown) => unknown)[] = [
      (list) => list,
      (list) => ({ ...beside, keys: list }),
      (list) => ({ ...beside, _embedded: { api_keys: list } }),
      (list) => ({ ...beside, data: { items: list } }),
      (list) => ({ ...beside, result: { 'access-tokens': list } }),
    ];
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 4 }),
        fc.constantFrom(...writers),
        fc.constantFrom(...wrappers),
        fc.constantFrom('expires_at', 'Expires-At', 'validUntil', 'expirationDateTime'),
        (entries, write, wrap, name) => {
          const owner = { id: 'o', name: 'owner', expiresAt: 2e9, createdAt: 1.9e9 };
          const list = entries.map(({ id, expiresAt, createdAt }) => ({
            ...{ owner, id, name: `key ${id.length}` },
            ...(expiresAt !== undefined && { [name]: write(expiresAt) }),
            ...(createdAt !== undefined && { createdTime: write(createdAt) }),
          }));
          const read = keysIn(JSON.parse(JSON.stringify(wrap(list))));
          const inMs = (at: number | undefined) => (at === undefined ? undefined : at * 1000);
          assert.deepEqual(
            read.map(({ id, expiresAt, createdAt }) => [id, expiresAt, createdAt]),
            entries.map(({ id, expiresAt, createdAt }) => [id, inMs(expiresAt), inMs(createdAt)]),
          );
        },
      ),
    );
  });

  it('says of an expiry that it cannot read what it is', () => {
    for (const [expires, unread] of [
      ['next spring', 'next spring'],
      ['02/03/2027', '02/03/2027'],
      [{ in: '3 days' }, '{"in":"3 days"}'],
      ...[null, 'never', 0, '', false].map((none) => [none, undefined] as const),
    ] as const) {
      assert.equal(keysIn([{ id: 'k', expires_at: expires }])[0]?.unreadExpiry, unread);
    }
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

describe('tokens in a text', () => {
  const stored = 'opaque-token-1';
  const ours = jwt({ project_id: 'p-1' });
  const found = (text: string) => {
    const needles = { tokens: [stored, 'short'], webhookSecrets: [], projectIds: ['p-1'] };
    const leaks = findTokenLeaks(text, needles);
    return leaks.map(({ start, end }) => text.slice(start, end));
  };

  for (const text of [
    `TOKEN=${stored}`,
    `"${stored}"`,
    `Authorization: Bearer ${stored}\n`,
    `It is ${stored}.`,
    `https://x.example/?t=${stored}`,
  ]) {
    it(`are found where they are stored: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), [stored]));
  }

  it('are found where their claims name a project', () => {
    assert.deepEqual(found(`a: ${ours}\nb: '${ours}'`), [ours, ours]);
  });

  it('are found once where both are so', () => {
    const needles = { tokens: [ours], webhookSecrets: [], projectIds: ['p-1'] };
    assert.deepEqual(findTokenLeaks(ours, needles), [
      { kind: 'token', start: 0, end: ours.length, projectId: 'p-1' },
    ]);
  });

  for (const text of [
    ...['', 'short', `x${stored}`, `${stored}2`, `${stored}-and-more`],
    ...[jwt({ project_id: 'p-2' }), jwt({ sub: 'p-1' }), 'eyJ.eyJ.x'],
  ]) {
    it(`are not seen in ${JSON.stringify(text.slice(0, 40))}`, () => assert.deepEqual(found(text), []));
  }

  it('are looked for no longer than the text is long', () => {
    assertLinear(5000, (size) => assert.deepEqual(found('eyJ'.repeat(size)), []));
  });
});

describe('webhook secrets in a text', () => {
  const long = 'qX3-vT_9pLw0aZ6uKk2m';
  const short = 'abc';
  const found = (text: string) =>
    findTokenLeaks(text, { tokens: [], webhookSecrets: [long, short], projectIds: [] }).map(
      ({ kind, start, end }) => [kind, text.slice(start, end)],
    );

  for (const text of [`x ${long} y`, `SECRET=${long}`, `["${long}"]`, `${long}.`, `\n${long}\r\n`]) {
    it(`are found wherever they stand: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), [['webhookSecret', long]]));
  }

  for (const text of [
    ...['WEBHOOK_SECRET=abc', 'export SECRET="abc"', 'webhookSecret: abc\n', `{"secret": "abc"}`],
    ...["const secret = 'abc';", "const secret: string = 'abc'", 'send --secret abc', '<secret>abc</secret>'],
    ...['X-Webhook-Secret: abc', "createHmac('sha256', 'x'); hmac('abc')", "secrets['webhook'] = 'abc'"],
  ]) {
    it(`that are short are found as the value of a secret: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(found(text), [['webhookSecret', 'abc']]));
  }

  for (const text of [
    ...['abc', '"abc"', 'alphabet = "abc"', 'the secret abc', 'secret=abcd', 'secret=xabc', 'abc=secret'],
    ...['secret = other\nname = abc', `x${long}`, `${long}1`],
  ]) {
    it(`are not seen in ${JSON.stringify(text)}`, () => assert.deepEqual(found(text), []));
  }

  it('are told from tokens, the first hundred of both', () => {
    const needles = { tokens: ['opaque-token-1'], webhookSecrets: [long, 'opaque-token-1'], projectIds: [] };
    const leaks = findTokenLeaks(`opaque-token-1 ${long}\n`.repeat(200), needles);
    assert.deepEqual(
      leaks.map(({ kind }) => kind),
      Array.from({ length: 50 }, () => ['token', 'webhookSecret']).flat(),
    );
  });

  it('that are short are looked for no longer than the text is long', () => {
    assertLinear(5000, (size) => assert.equal(found('secret=abc '.repeat(size)).length, 100));
  });
});
