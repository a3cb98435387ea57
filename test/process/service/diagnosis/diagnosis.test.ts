import assert from 'node:assert/strict';
import fc from 'fast-check';
import { thorough } from '../../../../src/service/diagnosis/causeSearch.ts';
import {
  type Diagnosis,
  type Evidence,
  diagnose,
  diagnoseRefused,
  diagnosisText,
} from '../../../../src/service/diagnosis/diagnosis.ts';
import { defaultSecret } from '../../../support/listener/defaultSecret.ts';
import { assertLinear } from '../../../support/time/assertLinear.ts';
import { body, clock, delivery, secret } from '../../../support/webhooks/signedDelivery.ts';

function causesOf(diagnosis: Diagnosis): string[] {
  return diagnosis.kind === 'explained' || diagnosis.kind === 'malformed'
    ? diagnosis.causes.map((cause) => cause.kind)
    : [];
}

const text = (evidence: Evidence) => diagnosisText(diagnose(evidence));

describe('diagnosis (design: section 5, "Diagnosis")', () => {
  it('has nothing to say of a delivery that verifies', () => {
    const held = defaultSecret(secret);
    assert.deepEqual(diagnose(delivery({})), { kind: 'verified', secret: held, isOnly: true });
    assert.equal(text(delivery({})), undefined);
  });

  it('names two causes at once', () => {
    const evidence = delivery({ key: `${secret}\n`, encoding: 'base64' });
    assert.deepEqual(causesOf(diagnose(evidence)), ['signatureInBase64', 'aroundSecret']);
    const both = { ...delivery({ key: `${secret}\n` }, { body: `${body}\n` }), effort: thorough(() => true) };
    assert.deepEqual(causesOf(diagnose(both)), ['aroundSecret', 'trailingNewline']);
    assert.match(
      text(both) ?? '',
      /^newline after secret: the caller has to remove it; and newline after body/,
    );
  });

  it('says which secret verified, where it is not the current one', () => {
    const held = defaultSecret(secret, clock * 1000 + 1);
    const evidence = delivery({}, {}, ['newer', held]);
    assert.deepEqual(diagnose(evidence), { kind: 'verified', secret: held, isOnly: false });
    assert.match(text(evidence) ?? '', /^earlier secret/);
  });

  describe('says what the other verdicts mean', () => {
    const without = (name: string) => {
      const evidence = delivery({});
      const headers = Object.fromEntries(Object.entries(evidence.headers).filter(([key]) => key !== name));
      return { ...evidence, headers };
    };
    const cases: [what: string, Evidence, words: RegExp][] = [
      ['unsigned', without('x-service-webhook-signature'), /no signature header/],
      ['no secret', { ...delivery({}), secrets: [] }, /^not verified: set the webhook secret$/],
      ['request id missing', without('x-request-id'), /^no X-Request-Id: /],
      ['timestamp missing', without('x-service-webhook-timestamp'), /^no timestamp: /],
      ['timestamp not a number', delivery({ timestamp: 'now' }), /not a number/],
      [
        'timestamp with a fraction',
        delivery({ timestamp: `${clock}.5` }),
        /^timestamp not in seconds: send Unix seconds as digits only/,
      ],
      ['timestamp with a leading zero', delivery({ timestamp: `0${clock}` }), /^timestamp not in seconds/],
      [
        'signature unreadable',
        delivery({}, { headers: { 'x-service-webhook-signature': 'v1,\u0007no' } }),
        /not "v1," and 64 hexadecimal digits$/,
      ],
      ['old', delivery({ timestamp: (clock - 3600).toString() }), /60 min old on arrival/],
      [
        'old by seconds',
        { ...delivery({ timestamp: (clock - 34).toString() }), toleranceSeconds: 20 },
        /^34 s old on arrival/,
      ],
      [
        'ahead by seconds',
        { ...delivery({ timestamp: (clock + 34).toString() }), toleranceSeconds: 20 },
        /^dated 34 s ahead/,
      ],
      [
        'old by a part of a minute, which is cut as in rows',
        delivery({ timestamp: (clock - 459).toString() }),
        /^7 min old/,
      ],
      ['ahead', delivery({ timestamp: (clock + 3600).toString() }), /dated 60 min ahead/],
      [
        'signed and sent in milliseconds',
        delivery({ timestamp: `${clock.toString()}000` }),
        /in milliseconds/,
      ],
      // Of two possible ones neither is blamed.
      ['another secret', delivery({ key: 'unknown' }), /^secret or body differs$/],
      ['another body', delivery({ body: '{"a":1}' }, { body: '{"a":2}' }), /^secret or body differs$/],
      [
        "another secret, where the body is that of the run's response",
        { ...delivery({ key: 'unknown' }), runAnswer: Buffer.from(body) },
        /^secret or signature differs: the body is that of the run's response$/,
      ],
      [
        "another body than that of the run's response",
        { ...delivery({ body: '{"at":440}' }, { body: '{"at":441}' }), runAnswer: Buffer.from('{"at":440}') },
        /^body changed: byte 9 is "1", and "0" in the run's response$/,
      ],
    ];
    for (const [what, evidence, words] of cases) {
      it(what, () => assert.match(text(evidence) ?? '', words));
    }
  });

  it('explains only what the signature proves', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.json(),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.constantFrom('hex' as const, 'base64' as const),
        (held, json, digest, encoding) => {
          const evidence = delivery({}, { body: json }, [held]);
          const forged = `v1,${Buffer.from(digest).toString(encoding)}`;
          const headers = { ...evidence.headers, 'x-service-webhook-signature': forged };
          const { kind } = diagnose({ ...evidence, headers, effort: thorough(() => true) });
          assert.equal(kind, encoding === 'hex' ? 'unexplained' : 'malformed');
        },
      ),
      { numRuns: 10 },
    );
  });

  it('recognises any JSON that was laid out anew', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2, 4, '\t'), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const signed = JSON.stringify(value, null, indent);
        const arrived = JSON.stringify(value);
        const { kind } = diagnose(delivery({ body: signed }, { body: arrived }));
        assert.equal(kind, signed === arrived ? 'verified' : 'explained');
      }),
      { numRuns: 200 },
    );
  });

  describe('stays within bounds', () => {
    const large = delivery({}, { body: Buffer.alloc(3 * 1024 * 1024, 0x20) });

    it('hashes no large body in passing, and says so', () => {
      const found = diagnoseRefused('mismatch', large);
      assert.match(diagnosisText(found) ?? '', /^secret or body differs: see Explain Delivery$/);
    });

    it('stops where its time ends, and says so', () => {
      let tries = 0;
      const effort = thorough(() => (tries += 1) < 20);
      assert.deepEqual(diagnose({ ...delivery({ key: 'unknown' }), effort }), {
        kind: 'unexplained',
        isCut: true,
      });
      assert.equal(tries, 20);
      const all = diagnose({ ...delivery({ key: 'unknown' }), effort: thorough(() => true) });
      assert.deepEqual(all, { kind: 'unexplained', isCut: false });
    });

    it('tries a large body with what may have changed it before the variants of the secret', () => {
      const signed = Buffer.from(
        JSON.stringify(
          Array.from({ length: 20_000 }, (_, n) => ({ n, s: 'é' })),
          null,
          2,
        ),
      );
      const arrived = Buffer.from(JSON.stringify(JSON.parse(signed.toString())));
      assert.ok(arrived.length > 256 * 1024);
      let tries = 0;
      const effort = thorough(() => (tries += 1) < 40);
      const evidence = delivery({ body: signed }, { body: arrived });
      assert.deepEqual(causesOf(diagnose({ ...evidence, effort })), ['reserialised']);
      const bySecret = { ...delivery({ key: `${secret}\n`, body: arrived }), effort: thorough(() => true) };
      assert.deepEqual(causesOf(diagnose(bySecret)), ['aroundSecret']);
    });

    it('does not lay out JSON of too many tokens, and says so', () => {
      const many = delivery({ key: 'unknown' }, { body: `[${'0,'.repeat(500)}0]` });
      const few = { ...thorough(() => true), tokens: 1000 };
      assert.deepEqual(diagnose({ ...many, effort: few }), { kind: 'unexplained', isCut: true });
      const enough = diagnose({ ...many, effort: { ...few, tokens: 1004 } });
      assert.deepEqual(enough, { kind: 'unexplained', isCut: false });
    });

    it('does not lay out what is nested without end', () => {
      assertLinear(25_000, (depth) => {
        const deep = '['.repeat(depth) + ']'.repeat(depth);
        assert.equal(diagnose(delivery({ key: 'unknown' }, { body: deep })).kind, 'unexplained');
      });
    });
  });
});
