import { clockTime } from '../../../src/shared/text/durationText.ts';
import assert from 'node:assert/strict';
import type { Attempt } from '../../../src/contract/delivery.ts';
import type { AppAnswer } from '../../../src/deliveries/listenerProtocol.ts';
import { answerDocument } from '../../../src/deliveries/answerDocument.ts';

const at = '2026-11-20T12:04:11.203Z';
const time = clockTime(new Date(at));
const to = 'http://localhost:3000/hook';
const unanswered: Attempt = { at, kind: 'replay', to, durationMs: 7 };
const attempt: Attempt = { ...unanswered, status: 500 };

describe('the document of what the local app answered', () => {
  const parts = (kept?: Partial<AppAnswer>, changed: Partial<Attempt> = {}, secrets: string[] = []) =>
    answerDocument(
      { ...attempt, ...changed },
      kept && { rawHeaders: [], body: '', bytes: (kept.body ?? '').length, ...kept },
      secrets,
    ).split('\n\n');

  it('has the status line, the headers as they came, and the body, laid out where it is JSON', () => {
    const rawHeaders = ['Content-Type', 'application/json', 'X-Twice', 'a', 'X-Twice', 'b'];
    assert.equal(
      answerDocument(attempt, { rawHeaders, body: '{"n":1.0,"a":[]}', bytes: 16 }, []),
      `500 Internal Server Error
→ http://localhost:3000/hook · ${time} · 7 ms

Content-Type: application/json
X-Twice: a
X-Twice: b

{
  "n": 1.0,
  "a": []
}
`,
    );
    assert.equal(parts({ body: 'KeyError: "prompt"' })[1], 'KeyError: "prompt"\n');
    assert.match(parts({}, { status: 799 })[0]!, /^799\n/);
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
    const [, note, body] = parts({ body: 'a'.repeat(65_536), bytes: 100_000 });
    assert.equal(note, 'The first 64.0 KB of 97.7 KB');
    assert.equal(body?.length, 65_537);
    const endless = { rawHeaders: [], body: 'tick' };
    assert.match(
      answerDocument(attempt, endless, []),
      /\n\nThe first 4 B\. It did not end in time\.\n\ntick\n$/,
    );
    assert.deepEqual(parts({}).slice(1), ['No body.\n']);
  });

  it('tells what is no text by its size alone', () => {
    const binary = { body: 'H4sIAAA=', bodyEncoding: 'base64' as const, bytes: 3000 };
    assert.deepEqual(parts(binary).slice(1), ['Binary, 2.9 KB\n']);
  });

  it('says why there is none, or that no more is kept than its start', () => {
    const text = answerDocument({ ...unanswered, error: 'ECONNREFUSED' }, undefined, []);
    assert.equal(text, `→ your handler is not running\n→ ${to} · ${time} · 7 ms\n`);
    assert.deepEqual(parts(undefined, { answer: 'KeyError' }).slice(1), [
      'Only the beginning was kept.',
      'KeyError\n',
    ]);
    assert.deepEqual(parts().slice(1), ['Headers and body were not kept.\n']);
  });

  it('has the address on its line, whatever that is', () => {
    const [head = ''] = parts({}, { to: 'http://a/\n200 OK' });
    assert.equal(head.split('\n').length, 2);
  });
});
