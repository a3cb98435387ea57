import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { readSignature, sign, verify } from '../../../../src/service/signature/signature.ts';
import { signatureCases } from '../../../support/deliveries/signatureCases.ts';

const toleranceSeconds = 300;

describe('signature (service-interface.md, section 6, "Signature verification")', () => {
  describe('vectors made by another implementation', () => {
    for (const { name, heldSecret, clock, headers, bodyBase64, verdict } of signatureCases) {
      const body = Buffer.from(bodyBase64, 'base64');

      it(`${name} → ${verdict}`, () => {
        assert.equal(verify(headers, body, [heldSecret], clock, toleranceSeconds).verdict, verdict);
      });

      if (verdict !== 'verified') continue;
      it(`${name}: signs as the vector does`, () => {
        const signature = sign(
          heldSecret,
          headers['X-Request-Id']!,
          headers['X-Service-Webhook-Timestamp']!,
          body,
        );
        assert.equal(`v1,${signature}`, headers['X-Service-Webhook-Signature']);
      });
    }
  });

  const secret = 'held';
  const clock = 1_790_000_000;
  const body = Buffer.from('{"run_id":"r-1"}');
  const signed = (vendor = 'Service', timestamp = clock.toString()): Record<string, string> => ({
    'X-Request-Id': 'req-1',
    [`X-${vendor}-Webhook-Timestamp`]: timestamp,
    [`X-${vendor}-Webhook-Signature`]: `v1,${sign(secret, 'req-1', timestamp, body)}`,
  });
  const check = (headers: Record<string, string>, secrets = [secret], tolerance = toleranceSeconds) =>
    verify(headers, body, secrets, clock, tolerance);

  it('takes any vendor in the header names, in any case', () => {
    for (const vendor of ['Acme', 'Two-Words', 'SERVICE']) {
      assert.equal(check(signed(vendor)).verdict, 'verified');
    }
    const lowerCase = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toLowerCase(), value]),
    );
    assert.equal(check(lowerCase).verdict, 'verified');
  });

  it("does not take another vendor's timestamp", () => {
    const { 'X-Acme-Webhook-Timestamp': timestamp, ...rest } = signed('Acme');
    assert.deepEqual(check({ ...rest, 'X-Other-Webhook-Timestamp': timestamp! }), {
      verdict: 'malformed',
      problem: 'timestampMissing',
    });
  });

  it('passes over a malformed signature where a well-formed one follows', () => {
    assert.equal(check({ 'X-Old-Webhook-Signature': 'none', ...signed() }).verdict, 'verified');
  });

  describe('is strict where the scheme is exact', () => {
    const name = 'X-Service-Webhook-Signature';
    const written = (value: (digits: string) => string): Record<string, string> => {
      const [, digits = ''] = signed()[name]!.split(',');
      return { ...signed(), [name]: value(digits) };
    };
    const signatures: [what: string, value: (digits: string) => string][] = [
      ['digits in capitals', (digits) => `v1,${digits.toUpperCase()}`],
      ['one digit in capitals', (digits) => `v1,${digits.replace(/[a-f]/, (one) => one.toUpperCase())}`],
      ['a capital V', (digits) => `V1,${digits}`],
      ['white space before it', (digits) => ` v1,${digits}`],
      ['white space within it', (digits) => `v1, ${digits}`],
      ['a newline behind it', (digits) => `v1,${digits}\n`],
      ['a digit too many', (digits) => `v1,${digits}0`],
      ['a second version', (digits) => `v2,${digits}`],
      ['the same one twice, in a list', (digits) => `v1,${digits}, v1,${digits}`],
      ['digits of another script', (digits) => `v1,${digits.slice(1)}\uff11`],
    ];
    for (const [what, value] of signatures) {
      it(`refuses a signature with ${what}`, () => {
        const { verdict } = check(written(value));
        assert.equal(verdict, 'malformed');
        assert.deepEqual(readSignature(written(value)), { kind: 'malformed', problem: 'signature' });
      });
    }

    const timestamps: [timestamp: string, problem: string][] = [
      [`${clock}.5`, 'timestampNotSeconds'],
      [`${clock}.0`, 'timestampNotSeconds'],
      [`0${clock}`, 'timestampNotSeconds'],
      [`000${clock}`, 'timestampNotSeconds'],
      ['00', 'timestampNotSeconds'],
      [`+${clock}`, 'timestampNotSeconds'],
      [`-${clock}`, 'timestampNotSeconds'],
      ['1.79e9', 'timestampNotSeconds'],
      ['0x6ab13b80', 'timestampNotSeconds'],
      [`${clock}000000`, 'timestampNotSeconds'],
      ['9'.repeat(14), 'timestampNotSeconds'],
      ['9'.repeat(400), 'timestampNotSeconds'],
      [`${clock}\n`, 'timestampNotSeconds'],
      [' ', 'timestampNotANumber'],
      ['Infinity', 'timestampNotANumber'],
      [`${clock}, ${clock}`, 'timestampNotANumber'],
      ['\u0661\u0667\u0669', 'timestampNotANumber'],
    ];
    for (const [timestamp, problem] of timestamps) {
      it(`refuses the timestamp ${JSON.stringify(timestamp).slice(0, 30)}, although it was signed`, () => {
        assert.deepEqual(check(signed('Service', timestamp)), { verdict: 'malformed', problem });
        assert.deepEqual(check(signed('Service', timestamp), [secret], 0), { verdict: 'malformed', problem });
      });
    }

    it('takes milliseconds for a second far ahead: the signature is right and the time is not', () => {
      assert.equal(check(signed('Service', `${clock}000`)).verdict, 'stale');
    });

    it('takes every second there can be, as it is written', () => {
      for (const timestamp of ['0', '1', '999999999', '9999999999', '8640000000000']) {
        assert.equal(check(signed('Service', timestamp), [secret], 0).verdict, 'verified', timestamp);
        assert.equal(check(signed('Service', timestamp)).verdict, 'stale', timestamp);
      }
    });

    it('takes a header that came twice for one that is not there, or not the one that was signed', () => {
      const raw = Object.entries(signed()).flat();
      const judged = (...more: string[]) => verify([...raw, ...more], body, [secret], clock, 300).verdict;
      const { [name]: signature = '', 'X-Service-Webhook-Timestamp': timestamp = '' } = signed();
      assert.equal(judged(), 'verified');
      assert.equal(judged(name, signature), 'malformed');
      assert.equal(judged(name.toLowerCase(), 'v1,no'), 'malformed');
      assert.equal(judged('x-service-webhook-timestamp', timestamp), 'malformed');
      assert.equal(judged('x-request-id', 'req-1'), 'mismatch');
    });
  });

  /** All that tells apart what two deliveries signed, where both are read. */
  interface Signed {
    requestId: string;
    timestamp: string;
    body: string;
  }
  const accepted = ({ requestId, timestamp }: Signed): boolean =>
    readSignature({
      'x-request-id': requestId,
      'x-service-webhook-timestamp': timestamp,
      'x-service-webhook-signature': `v1,${'0'.repeat(64)}`,
    }).kind === 'signed';
  const contentOf = ({ requestId, timestamp, body: text }: Signed): string =>
    `${requestId}.${timestamp}.${text}`;
  /** Every way in which a signed content can be read as a request id, a timestamp and a body. */
  const readings = (content: string): Signed[] => {
    const dots = [...content.matchAll(/\./g)].map(({ index }) => index);
    return dots.flatMap((first) =>
      dots
        .filter((second) => second > first)
        .map((second) => ({
          requestId: content.slice(0, first),
          timestamp: content.slice(first + 1, second),
          body: content.slice(second + 1),
        }))
        .filter(accepted),
    );
  };
  const piece = fc.constantFrom('.', '.', '1', '0', '9', 'a', '-', '1790000000', '1789999999', '{"a":', ' ');
  const mixed = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(''));

  describe('what was signed is read in one way', () => {
    it('where the request id has no dot', () => {
      fc.assert(
        fc.property(mixed(12), (content) => {
          const plain = readings(content).filter(({ requestId }) => !requestId.includes('.'));
          assert.ok(plain.length <= 1, JSON.stringify(plain));
        }),
        { numRuns: 20_000 },
      );
    });

    it('and else the longer id begins with the shorter one, a dot and its timestamp', () => {
      fc.assert(
        fc.property(mixed(12), (content) => {
          const all = readings(content).sort((a, b) => a.requestId.length - b.requestId.length);
          all.forEach((shorter, index) => {
            for (const longer of all.slice(index + 1)) {
              assert.ok(longer.requestId.startsWith(`${shorter.requestId}.`));
              const start = `${shorter.requestId}.${shorter.timestamp}.`;
              assert.ok(`${longer.requestId}.`.startsWith(start), JSON.stringify([shorter, longer]));
            }
          });
        }),
        { numRuns: 20_000 },
      );
    });

    it('which is the one thing that the scheme leaves open', () => {
      const one = { requestId: 'a', timestamp: '1790000000', body: '1790000100.{"n":1}' };
      const other = { requestId: 'a.1790000000', timestamp: '1790000100', body: '{"n":1}' };
      assert.deepEqual(readings(contentOf(one)), [one, other]);
    });
  });

  it('says which of several secrets fits', () => {
    assert.deepEqual(check(signed(), ['newer', secret, 'older']), { verdict: 'verified', secretIndex: 1 });
  });

  it('says how old a stale webhook is, and does not look where the tolerance is 0', () => {
    const headers = signed('Service', (clock - 4000).toString());
    assert.deepEqual(check(headers), { verdict: 'stale', secretIndex: 0, ageSeconds: 4000 });
    assert.equal(check(headers, [secret], 0).verdict, 'verified');
  });

  it('has no secret to check by where none is held, or an empty one', () => {
    assert.equal(check(signed(), []).verdict, 'no-secret');
    const forged = `v1,${sign('', 'req-1', clock.toString(), body)}`;
    assert.equal(check({ ...signed(), 'X-Service-Webhook-Signature': forged }, ['']).verdict, 'no-secret');
    assert.equal(
      check({ ...signed(), 'X-Service-Webhook-Signature': forged }, [secret, '']).verdict,
      'mismatch',
    );
  });

  it('signs the bytes of a request id as they stand on the wire', () => {
    const bytes = Buffer.from('réq', 'utf8');
    const expected = createHmac('sha256', secret)
      .update(Buffer.concat([bytes, Buffer.from('.1.'), body]))
      .digest('hex');
    assert.equal(sign(secret, bytes.toString('latin1'), '1', body), expected);
  });
});
