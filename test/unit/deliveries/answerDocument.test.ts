import { clockTime } from '../../../src/shared/text/durationText.ts';
import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/contract/delivery.ts';
import type { AppAnswer } from '../../../src/deliveries/listenerProtocol.ts';
import { answerDocument } from '../../../src/deliveries/answerDocument.ts';

const at = '2026-11-20T12:04:11.203Z';
/** 7 ms before it ended. */
const time = clockTime(new Date('2026-11-20T12:04:11.196Z'));
const to = 'http://localhost:3000/hook';
const unanswered: Attempt = { at, kind: 'replay', to, durationMs: 7 };
const attempt: Attempt = { ...unanswered, status: 500 };
const method = 'POST';

describe('the document of what the local app answered', () => {
  const parts = (kept?: Partial<AppAnswer>, changed: Partial<Attempt> = {}, secrets: string[] = []) =>
    answerDocument(
      { method },
      { ...attempt, ...changed },
      kept && { rawHeaders: [], body: '', bytes: (kept.body ?? '').length, ...kept },
      secrets,
    ).split('\n\n');

  it('has the status line, the headers as they came, and the body, laid out where it is JSON', () => {
    const rawHeaders = ['Content-Type', 'application/json', 'X-Twice', 'a', 'X-Twice', 'b'];
    assert.equal(
      answerDocument({ method }, attempt, { rawHeaders, body: '{"n":1.0,"a":[]}', bytes: 16 }, []),
      `500 Internal Server Error · your handler · 16 B · 7 ms

{
  "n": 1.0,
  "a": []
}

── Headers · 3
  Content-Type: application/json
  X-Twice: a
  X-Twice: b
── Request · POST http://localhost:3000/hook
  ${time} · replayed
`,
    );
    assert.equal(parts({ body: 'KeyError: "prompt"' })[1], 'KeyError: "prompt"');
    assert.match(parts({}, { status: 799 })[0]!, /^799 · your handler · 0 B · 7 ms\n/);
  });

  it('names the app that it is for', () => {
    assert.match(
      answerDocument({ method, appName: 'echo' }, attempt, undefined, []),
      /^500 Internal Server Error · your handler · echo · 7 ms\n/,
    );
  });

  it('marks what was sent unsigned by whether it was rejected', () => {
    assert.match(parts({}, { kind: 'unsigned', status: 200 })[0]!, /^⚠ 200 OK · your handler · 0 B · 7 ms\n/);
    assert.match(parts({}, { kind: 'unsigned', status: 401 })[0]!, /^✓ 401 Unauthorized · your handler · /);
    assert.match(parts({}, { kind: 'unsigned' })[0]!, /^500 Internal Server Error · your handler · /);
  });

  it('masks credentials in headers, and held secrets anywhere', () => {
    const rawHeaders = [
      'Set-Cookie',
      'session=s3',
      'AUTHORIZATION',
      'Basic YTpi',
      'X-Note',
      'of held-secret',
    ];
    const text = parts({ rawHeaders, body: '{"secret":"held-secret"}' }, {}, ['held-secret']).join('\n');
    for (const hidden of ['s3', 'YTpi', 'held-secret']) assert.ok(!text.includes(hidden), text);
    assert.ok(text.includes('Set-Cookie: ••••••••'));
  });

  it('says how much of the body it has not', () => {
    const [head = '', body] = parts({ body: 'a'.repeat(65_536), bytes: 100_000 });
    assert.equal(head, '500 Internal Server Error · your handler · 98 KB · 7 ms\nThe first 64 KB of 98 KB');
    assert.equal(body?.length, 65_536);
    const endless = { rawHeaders: [], body: 'tick' };
    assert.match(
      answerDocument({ method }, attempt, endless, []),
      /^500 [^\n]* · 7 ms\nThe first 4 B\. It did not end in time\.\n\ntick\n\n/,
    );
    assert.match(parts({})[0]!, /\nNo body\.$/);
  });

  it('tells what is no text by its size alone', () => {
    const binary = { body: 'H4sIAAA=', bodyEncoding: 'base64' as const, bytes: 3000 };
    const [head, ...others] = parts(binary);
    assert.equal(head, '500 Internal Server Error · your handler · 2.9 KB · 7 ms\nBinary, 2.9 KB');
    assert.equal(others.length, 1, 'headers and request alone');
  });

  it('says why there is none, or that no more is kept than its start', () => {
    const none = { ...unanswered, error: 'ECONNREFUSED' };
    const request = `── Request · POST ${to}\n  ${time} · replayed\n`;
    assert.equal(
      answerDocument({ method }, none, undefined, []),
      `⚠ your handler is not running · 7 ms\n\n${request}`,
    );
    assert.deepEqual(parts(undefined, { answer: 'KeyError' }), [
      '500 Internal Server Error · your handler · 7 ms\nOnly the beginning was kept.',
      'KeyError',
      request,
    ]);
    assert.match(parts()[0]!, /\nHeaders and body were not kept\.$/);
  });

  it('says what an HTML page says', () => {
    const html = '<!doctype html><title>KeyError: &#39;prompt&#39;</title><script>no()</script>';
    const [, said, below] = parts({ body: html });
    assert.equal(said, "KeyError: 'prompt'");
    assert.ok(below!.includes(`── HTML · 77 B\n  ${html}\n── Headers`), below);
    assert.equal(parts({ body: html }, { status: 200 })[1], html);
  });

  it('has an address and each header on its line, whatever they are', () => {
    const text = parts({ rawHeaders: ['X', 'a\n200 OK'] }, { to: 'http://a/\n200 OK' }).at(-1)!;
    assert.equal(text.split('\n').length, 5);
  });
});
