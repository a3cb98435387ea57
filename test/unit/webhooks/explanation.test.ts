import assert from 'node:assert/strict';
import { languages, readBundle } from '../../../scripts/messageBundle.ts';
import { textWidth } from '../../../src/model/textWidth.ts';
import { inEnglish, translateBy } from '../../../src/model/translate.ts';
import { evidenceOf } from '../../../src/webhooks/evidence.ts';
import { explain } from '../../../src/webhooks/explanation.ts';
import { defaultSecret } from '../../support/defaultSecret.ts';
import { body, clock, delivery, requestId, secret } from './signedDelivery.ts';

const signatures = /expected {2}v1,([0-9a-f]{64})\n {2}received {2}v1,([0-9a-f]{64})\n {2}The two (.+)\.\n/;

describe('the explanation of a delivery', () => {
  it('says of a right one that it is, with what was signed', () => {
    const text = explain(delivery({}), inEnglish);
    assert.match(text, /^The signature is right\.\n/);
    assert.ok(text.includes(`| ${requestId}.${clock}.${body}`));
    const [, expected, received, word] = signatures.exec(text) ?? [];
    assert.equal(expected, received);
    assert.equal(word, 'are equal');
  });

  it('shows the two signatures side by side where they differ, and what to change', () => {
    const text = explain(delivery({ key: `${secret}\n` }), inEnglish);
    assert.match(
      text,
      /^The signature is not right\.\nThe caller's secret has a newline at its end: remove it there\.\n/,
    );
    const [, expected, received, word] = signatures.exec(text) ?? [];
    assert.notEqual(expected, received);
    assert.equal(word, 'differ');
    assert.match(text, /the expected signature is the one received/);
  });

  it('has what was signed, and the two signatures, below each other in every language', () => {
    for (const language of languages()) {
      const lines = explain(delivery({ key: 'another' }), translateBy(readBundle(language))).split('\n');
      const where = (value: RegExp): number[] =>
        lines.flatMap((line) => (value.test(line) ? [textWidth(line.slice(0, line.search(value)))] : []));
      const [expected, received] = where(/v1,[0-9a-f]{64}/);
      assert.equal(expected, received, language);
      const starts = [requestId, clock.toString()].flatMap((value) =>
        where(new RegExp(`(?<=^ .* )${value}( |$)`)),
      );
      assert.equal(new Set(starts).size, 1, `${language}: ${String(starts)}`);
    }
  });

  it('holds no secret, not even where a header or the body does', () => {
    const echoing = delivery({ body: `{"echo":"${secret} retired"}`, requestId: `id-${secret}` }, {}, [
      secret,
      defaultSecret('retired', 0),
    ]);
    assert.doesNotMatch(explain(echoing, inEnglish), new RegExp(`${secret}|retired`));
  });

  it('draws no control character of a delivery', () => {
    const text = explain(delivery({ body: 'a\u001b[2J\u202eb\r\nc' }), inEnglish);
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    assert.match(text, /a␛\[2J\\u\{202e\}b␍\n {2}\| c/);
  });

  it('shows the start of a large body and how much is left', () => {
    const text = explain(delivery({ body: 'x'.repeat(5000) }), inEnglish);
    assert.match(text, /… and 2952 more bytes/);
    assert.ok(text.length < 5000);
  });

  it('shows no signature where there is none to show', () => {
    const text = explain({ ...delivery({}), headers: {} }, inEnglish);
    assert.match(text, /^The signature could not be checked\.\nNo signature header/);
    assert.doesNotMatch(text, /expected {2}/);
  });

  it('takes the secrets that verified when the delivery arrived', () => {
    const { headers } = delivery({});
    const arrived = clock * 1000;
    const kept = {
      id: 'd',
      receivedAt: new Date(arrived).toISOString(),
      verdict: 'verified' as const,
      method: 'POST',
      path: '/',
      headers: headers as Record<string, string>,
      body,
      bytes: body.length,
      answered: 200,
    };
    const earlier = (until: number) => [defaultSecret('newer'), defaultSecret(secret, until)];
    assert.match(
      explain(evidenceOf(kept, earlier(arrived + 1), 300), inEnglish),
      /^The signature is right\.\nSigned with an earlier/,
    );
    assert.match(
      explain(evidenceOf(kept, earlier(arrived), 300), inEnglish),
      /^The signature is not right\.\nSigned with an earlier/,
    );
  });
});
