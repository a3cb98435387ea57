import { jwt } from './jwt.ts';

/** A possible body of the service's key list, and the keys that must be read from it. */
interface KeyShape {
  name: string;
  body: unknown;
  /** The expected keys in order; absent if the shape cannot be recognised. */
  keys?: { id?: string; name?: string; createdAt?: string; expiresAt?: string }[];
  /** The expected number of entries in an unrecognised list. */
  count?: number;
}

const createdAt = '2026-01-02T03:04:05.000Z';
const expiresAt = '2027-03-02T10:00:00.000Z';
const unix = (iso: string) => Date.parse(iso) / 1000;
const whole = [{ id: 'k-1', name: 'ci', createdAt, expiresAt }];

/** Shapes that the interface document leaves open (section 4.1: "Response body shape: not shown"). */
export const keyShapes: readonly KeyShape[] = [
  { name: 'a bare array, camel case', body: whole, keys: whole },
  {
    name: 'a bare array, snake case',
    body: [{ key_id: 'k-1', key_name: 'ci', created_at: createdAt, expires_at: expiresAt }],
    keys: whole,
  },
  { name: 'wrapped in keys', body: { keys: whole, total: 1 }, keys: whole },
  { name: 'wrapped in tokens', body: { tokens: whole }, keys: whole },
  { name: 'wrapped in items', body: { kind: 'List', items: whole }, keys: whole },
  { name: 'wrapped in data', body: { success: true, data: whole }, keys: whole },
  { name: 'wrapped twice', body: { status: 'ok', data: { keys: whole, page: 1 } }, keys: whole },
  { name: 'wrapped under an unknown name', body: { service_account_credentials: whole }, keys: whole },
  {
    name: 'wrapped with the account that they belong to',
    body: { id: 'sa-1', name: 'bot', secrets: whole },
    keys: whole,
  },
  {
    name: 'embedded, with links and a page',
    body: {
      _embedded: { apiKeys: whole },
      _links: { self: { href: '/keys' } },
      page: { size: 20, number: 0 },
    },
    keys: whole,
  },
  { name: 'edges with nodes', body: { data: { keys: { edges: [{ node: whole[0] }] } } }, keys: whole },
  {
    name: 'an id of many digits beside a name',
    body: { keys: [{ id: 'a3f9c0de'.repeat(8), name: 'ci', createdAt, expiresAt }] },
    keys: [{ id: 'a3f9c0de'.repeat(8), name: 'ci', createdAt, expiresAt }],
  },
  {
    name: 'an id with a word before it, beside dates',
    body: [{ id: 'key_1Nv0FGQ9RKHgCVdKxx12', expires_at: expiresAt }],
    keys: [{ id: 'key_1Nv0FGQ9RKHgCVdKxx12', expiresAt }],
  },
  {
    name: 'an id of many digits alone, which may be a secret',
    body: { keys: [{ id: 'a3f9c0de'.repeat(8) }, { id: 'k-2' }] },
    keys: [{}, { id: 'k-2' }],
  },
  {
    name: 'dates as objects',
    body: [
      {
        ...{ id: 'k-1', name: 'ci', createdTime: { _seconds: unix(createdAt), _nanoseconds: 0 } },
        expires_at: { $date: { $numberLong: String(unix(expiresAt) * 1000) } },
      },
    ],
    keys: whole,
  },
  {
    name: 'dates as objects of PHP, and with an offset of hours',
    body: [
      {
        ...{ id: 'k-1', name: 'ci', created_at: '2026-01-02 03:04:05+00' },
        expires_at: { date: '2027-03-02 10:00:00.000000', timezone_type: 3, timezone: 'UTC' },
      },
    ],
    keys: whole,
  },
  {
    name: 'a name that looks like a secret',
    body: { keys: [{ id: 'k-1', name: 'a3f9c0de'.repeat(8), description: 'ci' }] },
    keys: [{ id: 'k-1', name: 'ci' }],
  },
  {
    name: 'with what belongs to somebody else',
    body: [
      {
        id: 'k-1',
        owner: { id: 'u-1', name: 'Zoe', expiresAt, createdAt },
        createdBy: { name: 'Bob' },
        rate: { expires: 3600 },
      },
    ],
    keys: [{ id: 'k-1' }],
  },
  {
    name: 'the length of a life, which is no date',
    body: [{ id: 'k-1', expires: 3600 }],
    keys: [{ id: 'k-1' }],
  },
  {
    name: 'parts of an answer under their names',
    body: { user: { name: 'Zoe', id: 'u-1' }, organisation: { name: 'Acme', id: 'o-1' }, page: { size: 1 } },
  },
  { name: 'a user and an organisation', body: { user: { name: 'Zoe' }, organisation: { name: 'Acme' } } },
  {
    name: 'a map by name under a known one',
    body: { keys: { ci: { createdAt } } },
    keys: [{ id: 'ci', createdAt }],
  },
  { name: 'a map by id', body: { 'k-1': { name: 'ci', createdAt, expiresAt } }, keys: whole },
  { name: 'one key without a list', body: whole[0], keys: whole },
  {
    name: 'Unix seconds',
    body: [{ id: 'k-1', name: 'ci', created: unix(createdAt), exp: unix(expiresAt) }],
    keys: whole,
  },
  {
    name: 'Unix milliseconds',
    body: [{ id: 'k-1', name: 'ci', created: unix(createdAt) * 1000, expiry: unix(expiresAt) * 1000 }],
    keys: whole,
  },
  {
    name: 'Unix seconds as text',
    body: [{ id: 'k-1', name: 'ci', createdAt: String(unix(createdAt)), expiresAt: String(unix(expiresAt)) }],
    keys: whole,
  },
  {
    name: 'seconds within an object',
    body: [{ id: 'k-1', name: 'ci', createdAt, expire_time: { seconds: unix(expiresAt), nanos: 0 } }],
    keys: whole,
  },
  {
    name: 'dates without a zone',
    body: [{ id: 'k-1', name: 'ci', createdAt: '2026-01-02 03:04:05', expiresAt: '2027-03-02T10:00:00' }],
    keys: whole,
  },
  {
    name: 'dates with an offset',
    body: [{ id: 'k-1', name: 'ci', createdAt, expiresAt: '2027-03-02T11:00:00+0100' }],
    keys: whole,
  },
  {
    name: 'names within metadata',
    body: {
      items: [
        {
          metadata: { uid: 'k-1', name: 'ci', creationTimestamp: createdAt },
          spec: { validUntil: expiresAt },
        },
      ],
    },
    keys: whole,
  },
  {
    name: 'the expiry of a JWT',
    body: [{ id: 'k-1', token: jwt({ exp: unix(expiresAt) }) }],
    keys: [{ id: 'k-1', expiresAt }],
  },
  { name: 'bare JWTs', body: [jwt({ exp: unix(expiresAt) })], keys: [{ expiresAt }] },
  {
    name: 'numbers as ids, null as expiry',
    body: { keys: [{ id: 7, expires_at: null, revoked: false }] },
    keys: [{ id: '7' }],
  },
  { name: 'an empty list', body: { keys: [] }, keys: [] },
  {
    name: 'a wrapper with null, as Go writes a list without entries',
    body: { keys: null, total: 0 },
    keys: [],
  },
  { name: 'null in two wrappers', body: { data: { keys: null } }, keys: [] },
  { name: 'a map by id without entries', body: { keys: {}, meta: {} }, keys: [] },
  { name: 'null in an account', body: { id: 'sa-ci', name: 'ci', keys: null }, keys: [] },
  { name: 'null beside a list', body: { tokens: null, keys: [{ id: 'k-1' }] }, keys: [{ id: 'k-1' }] },
  { name: 'a wrapper with something else in it', body: { data: { ok: true } } },
  { name: 'an error in an object', body: { error: { message: 'no', code: 1 } } },
  { name: 'nothing in common with a key', body: [{ alpha: 1 }, { beta: 2 }, { gamma: 3 }], count: 3 },
  { name: 'plain strings, which are ids', body: ['a', 'b'], keys: [{ id: 'a' }, { id: 'b' }] },
  { name: 'plain strings in a wrapper', body: { data: { keys: ['a'] } }, keys: [{ id: 'a' }] },
  {
    name: 'ids beside what looks like a secret',
    body: ['k-1', jwt({ exp: unix(expiresAt) }), 'whsec_c2VjcmV0LW9mLW1pbmU0Mg'],
    keys: [{ id: 'k-1' }, { expiresAt }, {}],
  },
  { name: 'sentences', body: ['you may not', 'look at these'], count: 2 },
  { name: 'strings under a name that no list of keys has', body: { errors: ['forbidden'] }, count: 1 },
  { name: 'an object without a list', body: { ok: true } },
  { name: 'an empty object', body: {} },
  { name: 'no body', body: undefined },
  { name: 'a text that is no JSON', body: '<html><body>Sign in</body></html>' },
  { name: 'null', body: null },
];
