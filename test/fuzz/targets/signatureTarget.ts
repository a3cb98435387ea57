import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { fewJsonTokens } from '../../../src/shared/json/jsonText.ts';
import { bodyChanges } from '../../../src/service/diagnosis/bodyChanges.ts';
import { thorough } from '../../../src/service/diagnosis/causeSearch.ts';
import { diagnose } from '../../../src/service/diagnosis/diagnosis.ts';
import { secretChanges } from '../../../src/service/diagnosis/secretChanges.ts';
import { explain } from '../../../src/service/explanation/explanation.ts';
import {
  headerOf,
  headersOf,
  readLeniently,
  sign,
  verify,
} from '../../../src/service/signature/signature.ts';
import { defaultSecret } from '../../support/listener/defaultSecret.ts';
import type { Target } from '../target.ts';

const secret = 'the secret of the fuzzer';
const clock = 1_790_000_000;

/** All contents that were signed. Whatever verifies must be one of them. */
const signedContents = new Set<string>();

function seed(vendor: string, requestId: string, timestamp: string, body: string, more = ''): Buffer {
  signedContents.add(Buffer.from(`${requestId}.${timestamp}.${body}`, 'latin1').toString('latin1'));
  const signature = sign(secret, requestId, timestamp, Buffer.from(body, 'latin1'));
  const lines = [
    `X-Request-Id: ${requestId}`,
    `X-${vendor}-Webhook-Timestamp: ${timestamp}`,
    `X-${vendor}-Webhook-Signature: v1,${signature}`,
  ];
  return Buffer.from(`${lines.join('\n')}${more}\n\n${body}`, 'latin1');
}

const seeds = [
  seed('Service', 'r-1', String(clock), '{"run_id":"r-1"}'),
  seed('Service', 'r-2', String(clock - 1000), ''),
  seed('Acme-Cloud', '0d1e', String(clock), '\xff\x00body', '\nX-Other-Webhook-Signature: v1,00'),
  seed('Service', 'r-3', `${clock}.25`, '{}'),
  seed('Service', 'r-4', `0${clock}`, '{}'),
  seed('a', 'id.with.dots', String(clock + 5), '1.2.3', '\nHost: x\nContent-Type: application/json'),
];

/** The verdict by an independent implementation. */
function expectedVerdict(rawHeaders: readonly string[], body: Buffer): string {
  const all = new Map<string, string>();
  rawHeaders.forEach((name, at) => {
    if (at % 2 === 1) return;
    const before = all.get(name.toLowerCase());
    const value = rawHeaders[at + 1] ?? '';
    all.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  });
  const vendors = [...all.keys()].flatMap((name) => /^x-(.+)-webhook-signature$/.exec(name)?.[1] ?? []);
  if (vendors.length === 0) return 'unsigned';
  const requestId = all.get('x-request-id');
  for (const vendor of vendors) {
    const digits = /^v1,([0-9a-f]{64})$/.exec(all.get(`x-${vendor}-webhook-signature`) ?? '')?.[1];
    const timestamp = all.get(`x-${vendor}-webhook-timestamp`) ?? '';
    if (digits === undefined || !requestId || !/^(0|[1-9][0-9]{0,12})$/.test(timestamp)) continue;
    const content = Buffer.concat([Buffer.from(`${requestId}.${timestamp}.`, 'latin1'), body]);
    if (createHmac('sha256', secret).update(content).digest('hex') !== digits) return 'mismatch';
    assert.ok(signedContents.has(content.toString('latin1')), 'a forgery');
    return Math.abs(clock - Number(timestamp)) > 300 ? 'stale' : 'verified';
  }
  return 'malformed';
}

/** Splits an input into headers and body. Ignores invalid header lines. */
function parseInput(input: Buffer): { rawHeaders: string[]; body: Buffer } {
  const at = input.indexOf('\n\n');
  const head = input.toString('latin1', 0, at === -1 ? input.length : at).split('\n');
  const rawHeaders = head.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { rawHeaders, body: at === -1 ? Buffer.alloc(0) : input.subarray(at + 2) };
}

/** Verification of raw headers and of a header object must agree with an independent implementation. */
export const signatureTarget: Target = {
  name: 'signature',
  seeds,
  tokens: [
    'X-Request-Id: ',
    'x-service-webhook-signature: v1,',
    '-Webhook-Timestamp: ',
    'v1,',
    String(clock),
    ', ',
  ],
  check: (input) => {
    const { rawHeaders, body } = parseInput(input);
    const { verdict } = verify(rawHeaders, body, [secret], clock, 300);
    assert.equal(verdict, expectedVerdict(rawHeaders, body));
    const headers = headersOf(rawHeaders);
    assert.equal(verify(headers, body, [secret], clock, 300).verdict, verdict);
    for (const [name, value] of Object.entries(headers)) assert.equal(headerOf(rawHeaders, name), value);
  },
};

/** The diagnosis must not throw, and must not call a forgery verified. */
export const diagnosisTarget: Target = {
  name: 'diagnosis',
  seeds,
  tokens: ['v1,', 'v0=', 'sha256=', 'base64', 'whsec_', '000', '\r\n', ' '],
  check: (input) => {
    const { rawHeaders, body } = parseInput(input);
    const evidence = {
      headers: headersOf(rawHeaders),
      body,
      secrets: [defaultSecret(secret)],
      clock,
      toleranceSeconds: 300,
    };
    const { kind } = diagnose(evidence);
    assert.equal(kind === 'verified', expectedVerdict(rawHeaders, body) === 'verified');
  },
};

/**
 * A secret, a line feed and a body: what any row of the tables of changes makes of them has to be explained. The
 * body's last byte chooses the row and its result.
 */
export const diagnosisTableTarget: Target = {
  name: 'diagnosisTable',
  seeds: [
    Buffer.from('pa$word12345\n{"a" : 12.0, "b":[1,2], "c":"\\u001B=\'"}'),
    Buffer.from('v1,whsec_aGVsbG8gd29ybGQ=\n{"r":"{\\"a\\":[1]}","n":1.50,"z":null}\r\n'),
    Buffer.from('WEBHOOK_SECRET="x y"\n"{\\"a\\":1}"'),
    Buffer.from('pässwörd ✓\n\ufeff{"é":"h\\u00e9 / <b>"}'),
  ],
  tokens: ['$', '${', '%', '\\u00', '"', '.0', '1e5', '\n', 'whsec_', 'NAME=', "'", '\\', '😀'],
  check: (input) => {
    const end = input.indexOf('\n');
    const held = input.toString('utf8', 0, Math.max(0, end)).slice(0, 200);
    const bytes = input.subarray(end + 1);
    if (held.trim() === '' || !held.isWellFormed()) return;
    const text = bytes.toString();
    const found = fewJsonTokens(text, 10_000);
    const received = { bytes, text, tokens: Array.isArray(found) ? found : undefined };
    const rows = [
      ...secretChanges.map(
        ({ of }) =>
          () =>
            Array.from(of(held), ([key]) => ({ key, body: bytes })),
      ),
      ...bodyChanges.map(
        ({ of }) =>
          () =>
            Array.from(of(received), ([body]) => ({ key: held, body })),
      ),
    ];
    const choice = bytes.at(-1) ?? 0;
    const all = rows[choice % rows.length]?.() ?? [];
    const { key, body } = all[choice % Math.max(1, all.length)] ?? {};
    if (key === undefined || body === undefined || Buffer.from(key).length === 0) return;
    const signature = createHmac('sha256', Buffer.from(key))
      .update(`r-1.${clock}.`)
      .update(body)
      .digest('hex');
    const headers = {
      'x-request-id': 'r-1',
      'x-service-webhook-timestamp': String(clock),
      'x-service-webhook-signature': `v1,${signature}`,
    };
    const secrets = [defaultSecret(held)];
    const effort = thorough(() => true);
    const diagnosis = diagnose({ headers, body: bytes, secrets, clock, toleranceSeconds: 300, effort });
    assert.notEqual(diagnosis.kind, 'unexplained');
  },
};

/** The time limit for the search, and by how much its steps may exceed it. */
const searchMs = 500;
const overrunMs = 1000;

/**
 * The explanation must be fast, must not contain the secret, and must not contain the correct signature of a delivery that
 * does not verify.
 */
export const explanationTarget: Target = {
  name: 'explanation',
  seeds: [
    ...seeds,
    seed('Service', 'r-5', String(clock), `{"list": [1, 2.50, "h\\u00e9 / <b>"], "echo": "${secret}"}\r\n`),
    seed('Service', 'r-6', String(clock), `${'[{"a":'.repeat(200)}"\\"\\\\"${'}]'.repeat(200)}`),
  ],
  tokens: [
    'V1,',
    'v1,',
    'sha256=',
    '"',
    '\\"',
    '[[[[',
    '{"a":',
    '\r\n',
    '\ufeff',
    secret,
    'hidden',
    'expected  ',
  ],
  check: (input) => {
    const { rawHeaders, body } = parseInput(input);
    const headers = headersOf(rawHeaders);
    const started = performance.now();
    const effort = thorough(() => performance.now() - started < searchMs);
    const evidence = {
      headers,
      body,
      secrets: [defaultSecret(secret)],
      clock,
      toleranceSeconds: 300,
      effort,
    };
    const { text, picture, signatures } = explain(evidence);
    const took = performance.now() - started;
    assert.ok(took < searchMs + overrunMs, `It took ${Math.round(took)} ms.`);
    const drawn = JSON.stringify(picture);
    assert.ok(!text.includes(secret) && !drawn.includes(secret), 'the secret came through');
    assert.ok(text.length < 30_000, 'the text is too long');
    assert.ok(drawn.length < 300_000, 'there is too much to draw');
    const signed = readLeniently(headers)?.signed;
    if (signed === undefined || expectedVerdict(rawHeaders, body) === 'verified') return;
    const right = sign(secret, signed.requestId, signed.timestamp, body);
    const isInBody = body.toString('latin1').toLowerCase().includes(right);
    assert.ok(isInBody || !text.toLowerCase().includes(right), 'the expected signature came through');
    assert.equal(signatures?.expected, `v1,${right}`);
    assert.equal(picture.signatures?.expected, undefined);
  },
};
