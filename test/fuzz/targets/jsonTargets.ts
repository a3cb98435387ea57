import assert from 'node:assert/strict';
import * as v from 'valibot';
import { fields, validate } from '../../../src/service/settings/appSettings.ts';
import { readTakes } from '../../../src/shared/rpc/pageProtocol.ts';
import { messageSchema } from '../../../src/shared/rpc/messageSchema.ts';
import { connectRpc } from '../../../src/shared/rpc/rpc.ts';
import { type Draft, formSchemas } from '../../../src/pages/form/formProtocol.ts';
import { readKeys } from '../../../src/service/keys/keys.ts';
import { maskJson } from '../../../src/shared/masking/likelySecrets.ts';
import { scanJson } from '../../../src/shared/json/jsonScanner.ts';
import { runIdIn } from '../../../src/service/runs/runId.ts';
import { findRunId } from '../../support/untrusted/findRunId.ts';
import { cleanToken, readClaims, tokenExpiry, tokenWarnings } from '../../../src/service/keys/token.ts';
import { UserError } from '../../../src/shared/text/userError.ts';
import { jwt } from '../../support/service/jwt.ts';
import { keyShapes } from '../../support/service/keyShapes.ts';
import { seedsOf, type Target } from '../target.ts';

const token = jwt({ exp: 1_900_000_000, sub: 'sa-1', project_id: 'p-1' });

/** Parses JSON; undefined if the text is not JSON. */
function parse(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString());
  } catch {
    return undefined;
  }
}

/** The most keys that a body may hold: its longest list, or the fields of its widest object. */
function entriesIn(body: unknown): number {
  if (typeof body !== 'object' || body === null) return 0;
  const inner = Object.values(body);
  return Math.max(inner.length, ...inner.map((one) => entriesIn(one)));
}

/** A key list of any shape: reading it must not throw, invent a key or a date, or reveal a token. */
export const keysTarget: Target = {
  name: 'keys',
  seeds: [
    ...keyShapes.map(({ body }) => Buffer.from(JSON.stringify(body ?? null))),
    Buffer.from(
      JSON.stringify({ keys: [{ id: 'k', name: token, token, [token]: 1, note: `is ${token}.` }] }),
    ),
  ],
  tokens: [
    ...['"revoked":true', '"status":"ACTIVE"', '"next":"x"', '"hasMore":true', '["k-1"]', '{"key":[['],
    ...[
      '{"_seconds":1790000000}',
      '{"$date":{"$numberLong":"1790000000000"}}',
      '"totalPages":3',
      '"last":false',
    ],
    ...[
      '{"date":"2026-12-31 00:00:00.0","timezone":"UTC"}',
      '"_embedded":{"apiKeys":',
      '"2026-12-31 00:00:00+00"',
    ],
    ...['"keys":', '"expires_at":', '"created":', '{"data":', '[[', '1e308', '"2026-13-99"', `"${token}"`],
  ],
  check: (input) => {
    const body = parse(input);
    if (body === undefined) return;
    const list = readKeys(body);
    assert.ok(!JSON.stringify(list).includes(token), 'a token came through');
    if (list.kind === 'keys') assert.ok(list.keys.length <= entriesIn(body), 'a key was invented');
    const holdsDate = /\d{4}|\d[eE.]|eyJ/.test(JSON.stringify(body));
    for (const { name = '', createdAt, expiresAt, state, fields } of list.kind === 'keys' ? list.keys : []) {
      assert.ok(
        fields.length <= 500 && fields.every(({ text }) => text.length <= 1000),
        'more than one reads',
      );
      for (const at of [createdAt, expiresAt]) {
        assert.ok(at === undefined || (at > 0 && at <= 8.64e15 && holdsDate), 'a date was invented');
      }
      assert.ok(name.length <= 1000 && JSON.stringify(state ?? null).length < 200, 'longer than one reads');
    }
    assert.ok(!JSON.stringify(maskJson(body) ?? null).includes(token), 'a token came through the mask');
    const id = findRunId(body);
    assert.ok(id === undefined || id !== '');
  },
};

/** A pasted token and its claims. */
export const tokenTarget: Target = {
  name: 'token',
  seeds: [
    ...seedsOf(token, `Bearer ${token}\n`, '"opaque"', 'Authorization: Bearer x'),
    Buffer.from(jwt({})),
  ],
  tokens: ['.', 'eyJ', 'Bearer ', '=', '-_', 'e30', '\u0000', '"', 'Authorization: '],
  check: (input) => {
    const text = input.toString();
    try {
      assert.match(cleanToken(text), /^[\x21-\x7e]+$/);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
    const expiry = tokenExpiry(text);
    assert.ok(expiry === undefined || Number.isFinite(expiry));
    assert.ok(readClaims(text) === undefined || typeof readClaims(text) === 'object');
    tokenWarnings(text, 'p-1', 1_790_000_000_000);
  },
};

/** Messages of the form: what passes the protocol's schema and `validate` must be within the limits. */
export const formTarget: Target = {
  name: 'form',
  seeds: seedsOf(
    '{"t":"q","i":"1","m":"apply","a":[{"settings":{"gpuCount":1,"memory":"8","compute":"CPU"}}]}',
    '{"t":"q","i":"2","m":"keep","a":[{"typed":{"gpuCount":"9"},"known":{"cpu":"1.5"}}]}',
    '{"t":"s","i":"3","r":null}',
    '{"t":"s","i":"4","e":{"message":"no","forUser":true}}',
  ),
  tokens: [
    '"apply"',
    '"keep"',
    '"settings":',
    '"constructor"',
    '"__proto__":',
    '"gpuCount":9',
    '"cpu":"101"',
    '[]',
  ],
  check: (input) => {
    connectRpc<object, object>(
      {
        post: () => undefined,
        onMessage: (listener) => {
          const { success, output } = v.safeParse(messageSchema, parse(input));
          if (success) listener(output);
        },
      },
      {},
      {
        check: (name, given) => {
          const { success, output: takes } = readTakes(formSchemas, name, given);
          if (!success) return;
          assert.ok(Object.hasOwn(formSchemas, name));
          const isDraft = name === 'keep';
          const held = isDraft
            ? (takes as Draft).known
            : (takes as { settings?: unknown } | undefined)?.settings;
          const { ok } = validate(held);
          if (isDraft) assert.ok(ok, 'a draft with settings beyond a limit');
          if (ok) assert.ok(withinLimits(held), 'settings beyond a limit');
        },
      },
    );
  },
};

/** Checks the limits of the interface document without `validate`. */
function withinLimits(settings: unknown): boolean {
  return Object.entries(settings as Record<string, unknown>).every(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) return false;
    if ('choices' in field) return field.choices.some((choice) => choice === value);
    const number = Number(value);
    const { minimum = 0, maximum = Infinity } = field as { minimum?: number; maximum?: number };
    return Number.isFinite(number) && number >= minimum && number <= maximum;
  });
}

/** Any text: the JSON scanner and the search for a run id must agree with `JSON.parse`. */
export const jsonTarget: Target = {
  name: 'json',
  seeds: [
    ...seedsOf(
      '{"run_id":"r-1"}',
      '{"data":{"run":{"runId":17}},"a":[{"run_id":"no"}]}',
      '[1.5e-3,-0,"\\u00e9"]',
    ),
    ...seedsOf(`${'[{"a":'.repeat(100)}1${'}]'.repeat(100)}`, '"\\"\\\\\\n"', ' null '),
  ],
  tokens: [
    '"run_id":',
    '"runID":"x"',
    '{"a":{',
    '\\u00',
    '\\"',
    '1.',
    '-',
    'e+',
    'true',
    '\u00a0',
    ':',
    ',,',
  ],
  check: (input) => {
    const text = input.toString();
    const value = parse(Buffer.from(text));
    if (value !== undefined)
      assert.equal(
        scanJson(text, () => true),
        'end',
      );
    const id = runIdIn(text);
    if (value === undefined) assert.ok(id === undefined || /run_id/.test(text));
    // For numbers and repeated names the two implementations differ.
    else if (!/"run_?i[dD]"\s*:\s*[-\d]/.test(text) && text.split(/run_?id/i).length === 2) {
      assert.equal(id, findRunId(value));
    }
  },
};
