import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/contract/delivery.ts';
import { type FailureEvidence, handlerFailure } from '../../../src/deliveries/handlerFailure.ts';
import { sign } from '../../../src/service/signature/signature.ts';
import { defaultSecret } from '../../support/listener/defaultSecret.ts';

const sent = 1_790_000_000;
const minuteMs = 60_000;
const body = '{"n":1}';
const headers = {
  'content-type': 'application/json',
  'x-request-id': 'r-1',
  'x-service-webhook-timestamp': String(sent),
  'x-service-webhook-signature': `v1,${sign('theirs', 'r-1', String(sent), Buffer.from(body))}`,
};
const delivery = { verdict: 'verified', method: 'POST', path: '/', headers, body } as const;
const to = 'http://localhost:3000/webhook';

describe('why a handler does not take a delivery', () => {
  const rows: {
    what: string;
    attempt: Partial<Attempt>;
    /** How long after it was signed. */
    afterMs?: number;
    changes?: Partial<FailureEvidence['delivery']>;
    secrets?: FailureEvidence['secrets'];
    rawHeaders?: FailureEvidence['rawHeaders'];
    /** Of the listener. */
    toleranceSeconds?: number;
    headline?: string;
    reasons: RegExp | undefined;
    said?: string;
  }[] = [
    { what: 'took it', attempt: { status: 204 }, reasons: undefined },
    {
      what: 'is not running',
      attempt: { error: 'ECONNREFUSED' },
      headline: 'Your handler is not running',
      reasons: /^Nothing listens on localhost:3000\. Start your handler/,
    },
    {
      what: 'has ended on it',
      attempt: { error: 'ERR_ENDED' },
      headline: 'Your handler has ended',
      reasons: /^Your handler ended while it had the delivery\. See what it wrote, and start it again\.$/,
    },
    {
      what: 'hangs',
      attempt: { error: 'TimeoutError' },
      headline: 'Your handler took too long',
      reasons: /^$/,
    },
    {
      what: 'has another path',
      attempt: { status: 404 },
      reasons:
        /^Your handler has no route for POST \/webhook\. Check the path .* to forward to\. Or its work failed, and it returned 404/,
    },
    {
      what: 'says itself that it has another path',
      attempt: { status: 404, answer: 'Cannot POST /webhook' },
      reasons:
        /^Your handler has no route for POST \/webhook\. Check the path in the address to forward to\.$/,
    },
    ...[
      '<title>Error</title><pre>Cannot POST /webhook</pre>',
      '{"message":"Route POST:/webhook not found","error":"Not Found","statusCode":404}',
      '{"detail":"Not Found"}',
      '{"timestamp":"2026-11-29T16:40:00Z","status":404,"error":"Not Found","path":"/webhook"}',
      '404 page not found\n',
      '<title>404 Not Found</title><h1>Not Found</h1><p>The requested URL was not found on the server.',
      '<title>404 Not Found</title><p>The requested resource <code>/webhook</code> was not found here.',
    ].map((answer) => ({
      what: `says itself that it has another path: ${answer}`,
      attempt: { status: 404, answer },
      reasons: /^Your handler has no route for POST \/webhook\. Check the path [^.]* to forward to\.$/,
    })),
    ...['Not Found', '{"error":"order 17 not found"}', '{"message":"customer 4711 does not exist"}'].map(
      (answer) => ({
        what: `returns a 404 of its own: ${answer}`,
        attempt: { status: 404, answer },
        reasons: /^Your handler has no route for POST .* Or its work failed, and it returned 404/,
      }),
    ),
    {
      what: 'asks by a 404 to be sent it again, since its work failed',
      attempt: { status: 404, failedAt: { file: '/w/handler.js', line: 94, message: 'TypeError: no items' } },
      reasons: /^Your handler failed at handler\.js:94: TypeError: no items$/,
    },
    {
      what: 'breaks without a word, at a line that is known',
      attempt: { status: 500, failedAt: { file: '/w/handler.js', line: 94, message: 'TypeError: no items' } },
      reasons: /^Your handler failed at handler\.js:94: TypeError: no items$/,
    },
    {
      what: 'failed at one of several lines',
      attempt: {
        status: 500,
        failedAt: { file: '/w/handler.js', line: 94, message: 'no items', oneOf: [] },
      },
      reasons: /^$/,
    },
    {
      what: 'takes no POST',
      attempt: { status: 405 },
      reasons: /^Your handler does not accept POST at \/webhook\. Check the path/,
    },
    {
      what: 'is not at the root',
      attempt: { status: 404, to: 'http://localhost:3000/' },
      reasons:
        /^Your handler has no route for POST \/\. Add the path of your handler to the address to forward to\./,
    },
    {
      what: 'redirects',
      attempt: { status: 308 },
      rawHeaders: ['location', 'https://shop.example/hook?n=1'],
      reasons:
        /^Your handler redirects, and a redirect is not followed\. Forward to https:\/\/shop\.example\/hook\?n=1, the address that Location names in its response\.$/,
    },
    {
      what: 'redirects to another path of its own',
      attempt: { status: 301 },
      rawHeaders: ['Location', '/webhook/'],
      reasons: /Forward to http:\/\/localhost:3000\/webhook\/, the address/,
    },
    {
      what: 'redirects to an address that is long, and has a password and the secret',
      attempt: { status: 302 },
      rawHeaders: ['Location', `//me:pw@shop.example/theirs-and-long-secret${'/x'.repeat(5000)}`],
      secrets: [defaultSecret('theirs-and-long-secret')],
      reasons: /Forward to http:\/\/shop\.example\/•+[/x]{1,80}…, the address/,
    },
    ...[undefined, ['Location', 'http://['], ['Location', 'command:runhook.reset'], []].map((rawHeaders) => ({
      what: `redirects to no address that can be named: ${rawHeaders?.join(' ')}`,
      attempt: { status: 302 },
      rawHeaders,
      reasons: /^Your handler redirects, and a redirect is not followed\.$/,
    })),
    {
      what: 'ends the connection',
      attempt: { error: 'UND_ERR_SOCKET' },
      headline: 'Your handler disconnected',
      reasons: /^It may have crashed: see what it wrote\.$/,
    },
    {
      what: 'has a certificate of its own',
      attempt: { error: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      headline: 'Certificate self-signed',
      reasons:
        /^This machine does not trust the certificate of your handler\. If it is a handler on this machine, set "runhook\.listener\.acceptLocalCertificates"/,
    },
    {
      what: 'is on no host that is known',
      attempt: { error: 'ENOTFOUND', to: 'http://my-handler.invalid:3000/' },
      headline: 'Your handler was not found',
      reasons: /^There is no host my-handler\.invalid\. Check the address to forward to\.$/,
    },
    {
      what: 'is on a host that does not respond',
      attempt: { error: 'EHOSTUNREACH' },
      headline: 'Your handler cannot be reached',
      reasons: /^Nothing responds at localhost:3000\. Check the address to forward to\.$/,
    },
    {
      what: 'is another program',
      attempt: { error: 'HPE_INVALID_CONSTANT' },
      headline: 'Your handler speaks no HTTP',
      reasons: /^Another program may listen on localhost:3000: check the address to forward to\.$/,
    },
    {
      what: 'speaks HTTP, with more headers than are read',
      attempt: { error: 'HPE_HEADER_OVERFLOW' },
      headline: 'Its headers are too long',
      reasons: /^$/,
    },
    {
      what: 'allows less time than usual',
      attempt: { status: 401, kind: 'replay', answer: 'timestamp too old' },
      afterMs: 1.3 * minuteMs,
      changes: { sentAt: new Date(sent * 1000).toISOString() },
      reasons:
        /^It was signed 78 s before it was sent to your handler, which allows less\. Replay sends it with a new signature\.$/,
      said: 'timestamp too old',
    },
    {
      what: 'speaks of the timestamp of what is as new as can be',
      attempt: { status: 401, kind: 'replay', answer: 'timestamp too old' },
      afterMs: 1000,
      changes: { sentAt: new Date(sent * 1000).toISOString() },
      reasons:
        /^Signature and timestamp were right\. Check the clock of your handler, .* compares: the timestamp is in seconds\.$/,
      said: 'timestamp too old',
    },
    {
      what: 'speaks of the timestamp of what was just signed anew, whatever secret was there before',
      attempt: { status: 401, kind: 'signedAnew', answer: '{"detail":"Timestamp too old"}' },
      secrets: [defaultSecret('newer'), defaultSecret('theirs', (sent + 600) * 1000)],
      reasons: /^Signature and timestamp were right\. Check the clock of your handler, /,
    },
    {
      what: 'names the signature and the timestamp',
      attempt: { status: 401, answer: '{"errors":["invalid signature","timestamp expired"]}' },
      reasons:
        /^Signature and timestamp were right\. Check the clock .* Check that your handler has the secret/,
    },
    ...['{"error":"signature header missing"}', '{"message":"Missing X-Acme-Signature header"}'].map(
      (answer) => ({
        what: `misses a header: ${answer}`,
        attempt: { status: 401, answer },
        reasons:
          /^Signature and timestamp were right\. Check the name of the header that your handler reads: the delivery has x-service-webhook-signature\.$/,
      }),
    ),
    {
      what: 'misses the timestamp of what waited',
      attempt: { status: 401, answer: 'No timestamp header' },
      afterMs: 60_000,
      changes: { sentAt: new Date(sent * 1000).toISOString() },
      reasons: /^Signature and timestamp were right\. .*: the delivery has x-service-webhook-timestamp\.$/,
    },
    {
      what: 'misses something else',
      attempt: { status: 401, answer: 'API key is missing' },
      reasons: /^Signature and timestamp were right\.$/,
    },
    ...[
      '{"error":"Unauthorized"}',
      '{"timestamp":"2026-11-29T16:40:00Z","status":401,"error":"Unauthorized","path":"/webhook"}',
      'No matching signature found',
    ].map((answer) => ({
      what: `does not say what it misses: ${answer}`,
      attempt: { status: 401, answer },
      reasons: /^Signature and timestamp were right\. Check that your handler has the secret of Runhook/,
    })),
    {
      what: 'has the secret of its own that the app has got since',
      attempt: { status: 401, kind: 'replay' },
      changes: { appName: 'echo' },
      secrets: [
        defaultSecret('theirs'),
        { secret: 'own', owner: { kind: 'app', projectId: 'p', name: 'echo' } },
      ],
      reasons:
        /^It was signed with a secret other than the current one\. Replay sends it with a new signature\.$/,
    },
    {
      what: 'takes less',
      attempt: { status: 413 },
      reasons: /^The body is larger than your handler accepts\.$/,
    },
    {
      what: 'takes no JSON',
      attempt: { status: 415 },
      reasons: /^Your handler does not accept application\/json\.$/,
    },
    {
      what: 'got it too late',
      attempt: { status: 401 },
      afterMs: 28 * minuteMs,
      reasons:
        /^It was signed more than 28 min before it was sent to your handler; handlers usually allow 5 min\. Replay sends it with a new signature\.$/,
    },
    {
      what: 'got it too late for a listener that allows less than usual',
      attempt: { status: 401, kind: 'replay' },
      afterMs: 25_000,
      toleranceSeconds: 20,
      reasons:
        /^It was signed more than 25 s before it was sent to your handler; your listener allows 20 s\. /,
    },
    {
      what: 'got it too late, where the listener checks no timestamp',
      attempt: { status: 401, kind: 'replay' },
      afterMs: 6 * minuteMs,
      toleranceSeconds: 0,
      reasons: /^It was signed more than 6 min before .*; handlers usually allow 5 min\. /,
    },
    {
      what: 'got it too late, where the listener allows more than usual',
      attempt: { status: 401, kind: 'replay' },
      afterMs: 6 * minuteMs,
      toleranceSeconds: 3600,
      changes: { sentAt: new Date(sent * 1000).toISOString() },
      reasons:
        /^It was signed more than 6 min before .*; handlers usually allow 5 min\. Replay sends it with a new signature\.$/,
    },
    {
      what: 'got it too late, by a replay as it came',
      attempt: { status: 400, kind: 'replay' },
      afterMs: 5.9 * minuteMs,
      reasons: /^It was signed more than 5 min before/,
    },
    {
      what: 'has the new secret already',
      attempt: { status: 401 },
      secrets: [defaultSecret('newer'), defaultSecret('theirs', (sent + 600) * 1000)],
      reasons:
        /^It was signed with a secret other than the current one\. Replay sends it with a new signature\.$/,
    },
    {
      what: 'may have the old secret still',
      attempt: { status: 401, kind: 'signedAnew' },
      secrets: [defaultSecret('newer'), defaultSecret('theirs', (sent + 600) * 1000)],
      reasons:
        /^Your handler may still have the secret from before the rotation\. Copy the current secret or write it to \.env again/,
    },
    {
      what: 'has another secret, or verifies something else',
      attempt: { status: 401 },
      reasons:
        /^Signature and timestamp were right\. Check that your handler has the secret of Runhook, and verifies the raw/,
    },
    {
      what: 'says that it has, by a 400',
      attempt: { status: 400, answer: '{"error":"bad signature"}' },
      reasons: /^Signature and timestamp were right\./,
    },
    {
      what: 'does not like what it says',
      attempt: { status: 400, answer: '{"error":"prompt is missing"}' },
      reasons: /^$/,
      said: 'prompt is missing',
    },
    {
      what: 'verifies what was parsed',
      attempt: {
        status: 500,
        answer:
          'TypeError: The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received an instance of Object',
      },
      reasons: /^The body was parsed before the signature was checked\. Verify the raw bytes/,
    },
    {
      what: 'verifies what was parsed, in Python',
      attempt: { status: 500, answer: "TypeError: a bytes-like object is required, not 'dict'" },
      reasons: /^The body was parsed before/,
    },
    {
      what: 'wants a signature',
      attempt: { status: 401 },
      changes: { verdict: 'unsigned', headers: {} },
      reasons: /^It has no signature\. Run the app/,
    },
    {
      what: 'sees what Runhook saw',
      attempt: { status: 401 },
      changes: { verdict: 'mismatch' },
      reasons: /^Its signature did not verify in Runhook either\.$/,
    },
    {
      what: 'got it unsigned, and should not take it',
      attempt: { status: 401, kind: 'unsigned' },
      reasons: /^Sent unsigned: your handler rejected it, as it should\.$/,
    },
    {
      what: 'took it unsigned, and should not',
      attempt: { status: 200, kind: 'unsigned' },
      headline: '200 from your handler',
      reasons: /^Your handler accepted an unsigned delivery: anybody can send it one\.$/,
    },
    { what: 'breaks on it unsigned', attempt: { status: 500, kind: 'unsigned' }, reasons: /^$/ },
    { what: 'got what was edited', attempt: { status: 401, kind: 'edited' }, reasons: /^$/ },
    {
      what: 'breaks',
      attempt: { status: 500, answer: "KeyError: 'prompt'" },
      headline: '500 from your handler',
      reasons: /^$/,
      said: "KeyError: 'prompt'",
    },
    {
      what: 'breaks by a page',
      attempt: { status: 500, answer: '<html><title>$(x)[a](command:b)' },
      reasons: /^$/,
    },
    { what: 'breaks without a word', attempt: { status: 503 }, reasons: /^$/ },
  ];
  for (const { what, attempt, afterMs = 100, changes, ...rest } of rows) {
    const { secrets, rawHeaders, toleranceSeconds = 300, headline, reasons, said } = rest;
    it(what, () => {
      const at = new Date(sent * 1000 + afterMs).toISOString();
      const failure = handlerFailure({
        delivery: { ...delivery, ...changes },
        attempt: { at, kind: 'forward', to, durationMs: 7, ...attempt },
        rawHeaders,
        secrets: secrets ?? [defaultSecret('theirs')],
        toleranceSeconds,
      });
      if (reasons === undefined) assert.equal(failure, undefined);
      else {
        assert.match(failure!.reasons.join(' '), reasons);
        if (said !== undefined) assert.equal(failure!.said, said);
        if (headline !== undefined) assert.equal(failure!.headline, headline);
      }
    });
  }
});
