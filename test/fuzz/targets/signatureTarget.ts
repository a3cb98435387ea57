import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { thorough } from '../../../src/webhooks/diagnosis/causeSearch.ts';
import { diagnose } from '../../../src/webhooks/diagnosis/diagnosis.ts';
import { explain } from '../../../src/webhooks/explanation/explanation.ts';
import { readLeniently } from '../../../src/webhooks/signature/lenientSignature.ts';
import { headerOf, headersOf } from '../../../src/webhooks/signature/rawHeaders.ts';
import { sign, verify } from '../../../src/webhooks/signature/signature.ts';
import { defaultSecret } from '../../support/defaultSecret.ts';
import type { Target } from '../target.ts';

const secret = 'the secret of the fuzzer';
const clock = 1_790_000_000;

/** All that was ever signed: what verifies must be one of these, whatever was done to it on the way. */
const signed = new Set<string>();

function seed(vendor: string, requestId: string, timestamp: string, body: string, more = ''): Buffer {
  signed.add(Buffer.from(`${requestId}.${timestamp}.${body}`, 'latin1').toString('latin1'));
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

/** The verdict by another way: each header by its name, the HMAC by createHmac. */
function expected(rawHeaders: readonly string[], body: Buffer): string {
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
    assert.ok(signed.has(content.toString('latin1')), 'a forgery');
    return Math.abs(clock - Number(timestamp)) > 300 ? 'stale' : 'verified';
  }
  return 'malformed';
}

/** Headers and body as they stand on the wire; what is no header line is passed over. */
function parts(input: Buffer): { rawHeaders: string[]; body: Buffer } {
  const at = input.indexOf('\n\n');
  const head = input.toString('latin1', 0, at === -1 ? input.length : at).split('\n');
  const rawHeaders = head.flatMap((line) => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { rawHeaders, body: at === -1 ? Buffer.alloc(0) : input.subarray(at + 2) };
}

/** The signature's headers, as they came and as an object, beside a reader written another way. */
export const signatureTarget: Target = {
  name: 'signature',
  seeds,
  words: [
    'X-Request-Id: ',
    'x-service-webhook-signature: v1,',
    '-Webhook-Timestamp: ',
    'v1,',
    String(clock),
    ', ',
  ],
  read: (input) => {
    const { rawHeaders, body } = parts(input);
    const { verdict } = verify(rawHeaders, body, [secret], clock, 300);
    assert.equal(verdict, expected(rawHeaders, body));
    const headers = headersOf(rawHeaders);
    assert.equal(verify(headers, body, [secret], clock, 300).verdict, verdict);
    for (const [name, value] of Object.entries(headers)) assert.equal(headerOf(rawHeaders, name), value);
  },
};

/** Why something does not verify: never a throw, and never a word that a forgery is genuine. */
export const diagnosisTarget: Target = {
  name: 'diagnosis',
  seeds,
  words: ['v1,', 'v0=', 'sha256=', 'base64', 'whsec_', '000', '\r\n', ' '],
  read: (input) => {
    const { rawHeaders, body } = parts(input);
    const evidence = {
      headers: headersOf(rawHeaders),
      body,
      secrets: [defaultSecret(secret)],
      clock,
      toleranceSeconds: 300,
    };
    const { kind } = diagnose(evidence);
    assert.equal(kind === 'verified', expected(rawHeaders, body) === 'verified');
  },
};

/** How long the search of an explanation may take here, and by how much its steps may pass that. */
const searchMs = 500;
const passedMs = 1000;

/**
 * What is told of a delivery: soon, without the secret, and without a signature that would make it verify where it
 * does not.
 */
export const explanationTarget: Target = {
  name: 'explanation',
  seeds: [
    ...seeds,
    seed('Service', 'r-5', String(clock), `{"list": [1, 2.50, "h\\u00e9 / <b>"], "echo": "${secret}"}\r\n`),
    seed('Service', 'r-6', String(clock), `${'[{"a":'.repeat(200)}"\\"\\\\"${'}]'.repeat(200)}`),
  ],
  words: [
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
  read: (input) => {
    const { rawHeaders, body } = parts(input);
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
    assert.ok(took < searchMs + passedMs, `It took ${Math.round(took)} ms.`);
    const drawn = JSON.stringify(picture);
    assert.ok(!text.includes(secret) && !drawn.includes(secret), 'the secret came through');
    assert.ok(text.length < 30_000, 'the text is too long');
    assert.ok(drawn.length < 300_000, 'there is too much to draw');
    const signed = readLeniently(headers)?.signed;
    if (signed === undefined || expected(rawHeaders, body) === 'verified') return;
    const right = sign(secret, signed.requestId, signed.timestamp, body);
    const isInBody = body.toString('latin1').toLowerCase().includes(right);
    assert.ok(isInBody || !text.toLowerCase().includes(right), 'the expected signature came through');
    assert.equal(signatures?.expected, `v1,${right}`);
    assert.equal(picture.signatures?.expected, undefined);
  },
};
