import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { Verdict } from '../../../../src/contract/delivery.ts';
import { languages, readBundle } from '../../../../scripts/l10n/bundles.ts';
import { fewJsonTokens } from '../../../../src/shared/json/jsonText.ts';
import { textWidth } from '../../../../src/shared/text/plainText.ts';
import type { HeldSecret } from '../../../../src/service/signature/webhookSecret.ts';
import { bodyChanges } from '../../../../src/service/diagnosis/bodyChanges.ts';
import { thorough } from '../../../../src/service/diagnosis/causeSearch.ts';
import { framings } from '../../../../src/service/diagnosis/framings.ts';
import type { Evidence } from '../../../../src/service/diagnosis/diagnosis.ts';
import { evidenceOf } from '../../../../src/editor/deliveries/explanation/explainInThread.ts';
import { explain } from '../../../../src/service/explanation/explanation.ts';
import { readLeniently, sign } from '../../../../src/service/signature/signature.ts';
import { secretEncodings } from '../../../support/untrusted/secretEncodings.ts';
import { defaultSecret } from '../../../support/listener/defaultSecret.ts';
import {
  body,
  clock,
  delivery,
  requestId,
  type Sending,
  secret,
} from '../../../support/webhooks/signedDelivery.ts';
import { withMessages } from '../../../support/sources/withMessages.ts';

const forever = thorough(() => true);
const explained = (evidence: Evidence) => explain({ ...evidence, effort: forever });
const textOf = (evidence: Evidence): string => explained(evidence).text;

describe('the explanation of a delivery', () => {
  it('says of a right one that it is, with what was signed', () => {
    const text = textOf(delivery({}));
    assert.match(text, /^The signature matches\.\n/);
    assert.ok(text.includes(`| ${requestId}.${clock}.${body}`));
    const [, expected, received] =
      /expected {2}(v1,[0-9a-f]{64})\n {2}received {2}(v1,.+)\n/.exec(text) ?? [];
    assert.ok(expected);
    assert.equal(expected, received);
    assert.match(text, /^ {2}The two are equal\.$/m);
  });

  it('shows the received signature where they differ, and what to change', () => {
    const evidence = delivery({ key: `${secret}\n` });
    const text = textOf(evidence);
    assert.match(
      text,
      /^The signature does not match\.\nNewline after secret: the caller has to remove it\.\n/,
    );
    const received = String(evidence.headers['x-service-webhook-signature']);
    assert.ok(text.includes(`  expected  hidden\n  received  ${received}\n  The two differ.\n`));
    assert.match(text, /Once this is corrected, the two signatures match/);
  });

  it('has what was signed, and the two signatures, below each other in every language', () => {
    for (const language of languages()) {
      const lines = withMessages(readBundle(language), () => textOf(delivery({}))).split('\n');
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

  it('ends its sentences as its language does', () => {
    const text = withMessages(readBundle('ja'), () => textOf(delivery({ key: `${secret}\n` })));
    assert.doesNotMatch(text, /[\p{Script=Hiragana}\p{Script=Han}]\./u);
  });

  it('holds no secret, not even where a header or the body does', () => {
    const echoing = delivery({ body: `{"echo":"${secret} retired"}`, requestId: `id-${secret}` }, {}, [
      secret,
      defaultSecret('retired', 0),
    ]);
    assert.doesNotMatch(textOf(echoing), new RegExp(`${secret}|retired`));
  });

  it('holds no secret in any writing that the mask knows, nor the beginning of one where a body is cut', () => {
    const held = 'kF3-x9/ü_Qm7zT+pe';
    for (const [name, write] of Object.entries(secretEncodings)) {
      const text = textOf(delivery({ body: `{"echo": "${write(held)}"}` }, {}, [defaultSecret(held)]));
      assert.ok(!text.includes(write(held)), name);
      assert.match(text, /\| .*•{8}/, name);
    }
    const cut = delivery({ body: `${'x'.repeat(2038)}${held}${'x'.repeat(50)}` }, {}, [defaultSecret(held)]);
    assert.doesNotMatch(textOf(cut), /kF3/);
  });

  it('draws no control character of a delivery', () => {
    const text = textOf(delivery({ body: 'a\u001b[2J\u202eb\r\nc' }));
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    assert.match(text, /a␛\[2J\\u\{202e\}b␍\n {2}\| c/);
  });

  it('shows the start of a large body and how much is left', () => {
    const text = textOf(delivery({ body: 'x'.repeat(5000) }));
    assert.match(text, /… and 3464 more bytes/);
    assert.ok(text.length < 5000);
  });

  it('shows no signature where there is none to show', () => {
    const text = textOf({ ...delivery({}), headers: {} });
    assert.match(text, /^The signature could not be checked\.\nNo signature header/);
    assert.doesNotMatch(text, /expected {2}/);
  });

  it('says of one that verified, whose secret is gone, that it did, and nothing against it', () => {
    const about = { lines: ['Verdict on arrival: verified'], verdict: 'verified' } as const;
    for (const held of [[], [defaultSecret('another')]]) {
      const { picture, reason, text } = explain({ ...delivery({}), secrets: held, effort: forever }, about);
      assert.deepEqual([picture.kind, picture.trials, reason], ['unchecked', [], undefined]);
      assert.match(
        text,
        /\nThe signature matched when it arrived\.\nThe secret that verified it is no longer kept: /,
      );
      assert.ok(!/not match|could not|Not verified/.test(text), text);
    }
  });

  describe('of one whose secret is gone', () => {
    const lost = (evidence: Evidence, verdict: Verdict, reason?: string, held: string[] = []) => {
      const secrets = held.map((one) => defaultSecret(one));
      return explain({ ...evidence, secrets }, { lines: [], verdict, reason });
    };
    const changed = delivery({}, { body: `${body} ` });
    const cause = 'body changed: one byte more at its end';

    it('says the cause that was found before, and nothing worse', () => {
      for (const held of [[], ['another']]) {
        const { picture, reason, text, lacksSecret } = lost(changed, 'mismatch', cause, held);
        assert.deepEqual([picture.kind, reason, lacksSecret], ['wrong', undefined, undefined]);
        assert.match(
          text,
          /^The signature did not match when it arrived\.\nBody changed: one byte more at its end\.\n/,
        );
        assert.match(text, held.length === 0 ? /no longer kept: it cannot/ : /cannot be found again\./);
        assert.ok(!/could not|Not verified|Secret or body|v1,[0-9a-f]/.test(text), text);
      }
    });

    it('says of one that was old on arrival that it was, and nothing against its signature', () => {
      const age = 'one hour old on arrival';
      for (const held of [[], ['another']]) {
        const { reason, text } = lost(delivery({ timestamp: `${clock - 3600}` }), 'stale', age, held);
        assert.equal(reason, undefined);
        assert.match(
          text,
          /^The signature matched when it arrived\.\nOne hour old on arrival\.\nThe secret /,
        );
      }
    });

    it('replaces a reason that names no cause, if a secret is held', () => {
      const none = 'secret or body differs';
      const answer = { ...delivery({ key: 'unknown' }), runAnswer: Buffer.from(body) };
      for (const before of [undefined, none, `${none}: see Explain Delivery`]) {
        assert.equal(lost(changed, 'mismatch', before, ['another']).reason, none);
        const { text, reason } = lost(changed, 'mismatch', before);
        assert.equal(reason, undefined);
        assert.match(text, /^The signature did not match when it arrived\.\nThe secret .* no longer kept: /);
        assert.match(
          lost(answer, 'mismatch', before, ['another']).reason ?? '',
          /^secret or signature differs/,
        );
      }
      const more = lost(answer, 'mismatch', none, ['another']).reason;
      assert.equal(lost(changed, 'mismatch', more, ['another']).reason, undefined);
    });

    it('asks for a secret where none was held on arrival either', () => {
      const { lacksSecret, text } = lost(delivery({}), 'no-secret', 'not verified: set the webhook secret');
      assert.equal(lacksSecret, true);
      assert.match(text, /^The signature could not be checked\.\nNot verified: set the webhook secret\.\n/);
    });
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
    const asEvidence = (secrets: HeldSecret[]) => ({
      ...evidenceOf(kept, secrets, 300),
      body: Buffer.from(body),
    });
    const earlier = (until: number) => [defaultSecret('newer'), defaultSecret(secret, until)];
    assert.match(textOf(asEvidence(earlier(arrived + 1))), /^The signature matches\.\nEarlier/);
    assert.match(textOf(asEvidence(earlier(arrived))), /^The signature does not match\.\nEarlier/);
  });

  describe('holds no signature that makes anything verify which does not', () => {
    /** Those of all that somebody could make of the delivery. */
    const rightOnes = (evidence: Evidence): string[] => {
      const { headers, body: bytes, secrets } = evidence;
      const lenient = readLeniently(headers);
      if (lenient === undefined) return [];
      const { requestId: id, timestamp } = lenient.signed;
      const all = Buffer.from(bytes);
      const tokens = fewJsonTokens(all.toString(), 1000);
      const received = {
        bytes: all,
        text: all.toString(),
        tokens: Array.isArray(tokens) ? tokens : undefined,
      };
      const json: unknown = Array.isArray(tokens) ? JSON.parse(received.text) : undefined;
      const framed = [...framings(lenient.signed, headers, json, () => undefined, true)].map(
        ({ before, after }) =>
          Buffer.concat([Buffer.from(before, 'latin1'), all, Buffer.from(after, 'latin1')]),
      );
      const changed = bodyChanges.flatMap(({ of }) =>
        Array.from(of(received), ([one]) =>
          Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), Buffer.from(one)]),
        ),
      );
      return [...framed, ...changed].flatMap((content) =>
        secrets.map((held) => createHmac('sha256', held.secret).update(content).digest('hex')),
      );
    };
    const assertHidden = (evidence: Evidence): void => {
      const { text: told, picture } = explained(evidence);
      const text = told + JSON.stringify(picture);
      const digits = text.toLowerCase();
      for (const right of rightOnes(evidence)) {
        assert.ok(!digits.includes(right), text);
        assert.ok(!text.includes(Buffer.from(right, 'hex').toString('base64').slice(0, 43)), text);
      }
    };

    const cases: [what: string, Evidence][] = [
      ["a stranger's, under a key of their own", delivery({ key: 'a key of their own' })],
      ['one whose body was changed on the way', delivery({}, { body: `${body}\n` })],
      ['one whose timestamp was written in another unit', delivery({}, { timestamp: `${clock}000` })],
      ['one whose request id was rewritten', delivery({}, { requestId: requestId.toUpperCase() })],
      ['one that is dated ahead', delivery({ timestamp: String(clock + 3600) })],
      ['one in base64', delivery({ encoding: 'base64' })],
      ['one without its version', delivery({ prefix: '' })],
      ['one with a capital V', delivery({ prefix: 'V1,' })],
    ];
    for (const [what, evidence] of cases) {
      it(`of ${what}`, () => {
        assertHidden(evidence);
        const { picture, signatures } = explained(evidence);
        const { headers, body: bytes } = evidence;
        const { requestId: id, timestamp } = readLeniently(headers)!.signed;
        const expected = `v1,${sign(secret, id, timestamp, bytes)}`;
        assert.equal(signatures?.expected, expected);
        assert.equal(picture.signatures?.expected, undefined);
      });
    }

    it('whatever is signed, and whatever arrives', () => {
      const part = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
      const sent: fc.Arbitrary<Partial<Sending>> = fc.record(
        {
          key: fc.constantFrom(secret, `${secret}\n`, ` ${secret}`, `whsec_${secret}`, 'another'),
          requestId: fc.constantFrom(requestId, 'r-1'),
          timestamp: fc.constantFrom(String(clock), `${clock}000`, String(clock - 9999)),
          encoding: fc.constantFrom('hex' as const, 'base64' as const),
          prefix: fc.constantFrom('v1,', 'V1,', '', 'sha256='),
        },
        { requiredKeys: [] },
      );
      const arrived = fc.record({
        body: part(fc.constantFrom(`${body}\n`, JSON.stringify(JSON.parse(body)), body.trim(), 'other')),
        requestId: part(fc.constantFrom(requestId.toUpperCase(), 'edge-1')),
        timestamp: part(fc.constantFrom(String(clock), `${clock}000`)),
      });
      fc.assert(
        fc.property(sent, arrived, (signed, { body: bytes = body, ...rest }) => {
          const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
          const evidence = delivery(signed, { body: bytes, ...given });
          const { text } = explained(evidence);
          if (!/^The signature matches\./.test(text)) assertHidden(evidence);
        }),
        { numRuns: 10 },
      );
    });

    it('nor where not all was tried, so that the received one may be right', () => {
      const evidence = delivery({}, { body: `${body}\n` });
      const { text, picture } = explain({ ...evidence, effort: { ...forever, bytes: 1 } });
      assert.match(text, /Not all were tried/);
      assert.match(text, / {2}expected {2}hidden\n {2}received {2}hidden\n/);
      assert.deepEqual(picture.signatures, {});
    });
  });
});
