import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { fewJsonTokens } from '../../../../src/shared/json/jsonText.ts';
import { bodyChanges } from '../../../../src/service/diagnosis/bodyChanges.ts';
import { thorough } from '../../../../src/service/diagnosis/causeSearch.ts';
import { diagnose } from '../../../../src/service/diagnosis/diagnosis.ts';
import { secretChanges } from '../../../../src/service/diagnosis/secretChanges.ts';
import { clock, delivery, requestId } from '../../../support/webhooks/signedDelivery.ts';

describe('diagnosis names each change of its tables', () => {
  const effort = thorough(() => true);
  const anySecret = fc.oneof(
    fc.string({ minLength: 2, maxLength: 40 }),
    fc.string({
      minLength: 2,
      maxLength: 20,
      unit: fc.constantFrom('$', 'a', 'B', '7', '{', '}', ' ', '%', '=', '"'),
    }),
    fc.string({ minLength: 2, maxLength: 20, unit: 'grapheme' }),
  );
  const anyJson = fc.json({ maxDepth: 2, stringUnit: 'grapheme' });
  const pick = fc.nat();
  /** One of the results of a row; undefined if it has none for that input. */
  const oneOf = <T>(all: Iterable<T>, at: number): T | undefined => {
    const list = [...all];
    return list[at % Math.max(1, list.length)];
  };
  const received = (json: string) => {
    const tokens = fewJsonTokens(json, 10_000);
    return { bytes: Buffer.from(json), text: json, tokens: Array.isArray(tokens) ? tokens : undefined };
  };

  for (const row of secretChanges) {
    it(`of a secret: ${row.kind}`, () => {
      fc.assert(
        fc.property(anySecret, anyJson, pick, (held, json, at) => {
          const [key] = oneOf(row.of(held), at) ?? [];
          if (key === undefined || Buffer.from(key).length === 0) return;
          const found = diagnose({
            ...delivery({ key: Buffer.from(key), body: json }, {}, [held]),
            effort,
          });
          assert.notEqual(found.kind, 'unexplained');
        }),
        { numRuns: 30 },
      );
    });
  }

  for (const row of bodyChanges.filter(({ kind }) => kind !== 'bodyDiffers')) {
    it(`of a body: ${row.kind}`, () => {
      fc.assert(
        fc.property(anySecret, anyJson, pick, (held, json, at) => {
          const [signed] = oneOf(row.of(received(json)), at) ?? [];
          if (signed === undefined) return;
          const sending = { key: held, body: Buffer.from(signed) };
          const found = diagnose({ ...delivery(sending, { body: json }, [held]), effort });
          assert.notEqual(found.kind, 'unexplained');
        }),
        { numRuns: 30 },
      );
    });
  }

  it('of a secret and a body at once, and of what is signed', () => {
    const short = bodyChanges.filter(({ kind, isLong }) => kind !== 'bodyDiffers' && !isLong);
    const parts = fc.constantFrom(
      (text: string) => `${clock}.${text}`,
      (text: string) => `${clock}.${requestId}.${text}`,
      (text: string) => `${text}.${clock}`,
      (text: string) => `${requestId}${clock}${text}`,
      (text: string) => text,
      (text: string) => `v0:${clock}:${text}`,
    );
    const property = fc.property(
      anySecret,
      anyJson,
      fc.constantFrom(...secretChanges),
      fc.constantFrom(...short),
      fc.option(parts, { nil: undefined }),
      pick,
      (held, json, ofSecret, ofBody, content, at) => {
        const [key = held] = oneOf(ofSecret.of(held), at) ?? [];
        const [changed = json] = oneOf(ofBody.of(received(json)), at) ?? [];
        if (Buffer.from(key).length === 0) return;
        // Two changes at once, of the three.
        const isOrder = content !== undefined;
        const signed = isOrder && at % 2 === 0 ? json : Buffer.from(changed).toString('latin1');
        const used = isOrder && at % 2 === 1 ? held : key;
        const bytes = Buffer.from(signed, signed === json ? 'utf8' : 'latin1').toString('latin1');
        const all = Buffer.from(
          content === undefined ? `${requestId}.${clock}.${bytes}` : content(bytes),
          'latin1',
        );
        const signature = createHmac('sha256', Buffer.from(used)).update(all).digest('hex');
        const evidence = delivery(
          {},
          { body: json, headers: { 'x-service-webhook-signature': `v1,${signature}` } },
          [held],
        );
        assert.notEqual(diagnose({ ...evidence, effort }).kind, 'unexplained');
      },
    );
    fc.assert(property, { numRuns: 25 });
  });

  it('but confirms no short part of a secret, which could be guessed piece by piece', () => {
    const word = fc.string({
      minLength: 3,
      maxLength: 40,
      unit: fc.constantFrom('a', 'b', 'Z', '0', '9', '_', '-'),
    });
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 15 }), fc.boolean(), (held, length, isStart) => {
        const part = isStart ? held.slice(0, length) : held.slice(-length);
        if (part === held) return;
        const found = diagnose({ ...delivery({ key: part, body: '{}' }, {}, [held]), effort });
        assert.equal(found.kind, 'unexplained');
      }),
      { numRuns: 20 },
    );
  });

  it('of a signature with a few digits changed', () => {
    const places = fc.uniqueArray(fc.nat(63), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anySecret, anyJson, places, (held, json, changed) => {
        const evidence = delivery({ key: held, body: json }, {}, [held]);
        const digits = String(evidence.headers['x-service-webhook-signature']).slice(3).split('');
        for (const at of changed) digits[at] = digits[at] === '0' ? '1' : '0';
        const headers = { ...evidence.headers, 'x-service-webhook-signature': `v1,${digits.join('')}` };
        const found = diagnose({ ...evidence, headers });
        assert.deepEqual('causes' in found && found.causes.map(({ kind }) => kind), ['signatureDigits']);
      }),
      { numRuns: 50 },
    );
  });
});
