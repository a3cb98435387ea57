import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readSignature, sign, verify } from '../../../src/webhooks/signature.ts';
import { signatureCases } from '../../support/signatureCases.ts';

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

  it('reads digits in capitals as the same number', () => {
    const headers = signed();
    const [, digits] = headers['X-Service-Webhook-Signature']!.split(',');
    assert.equal(
      check({ ...headers, 'X-Service-Webhook-Signature': `v1,${digits!.toUpperCase()}` }).verdict,
      'verified',
    );
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

  it('refuses a second version, a list and a digit too many', () => {
    const digits = sign(secret, 'req-1', clock.toString(), body);
    for (const value of [`v2,${digits}`, `v1,${digits}, v1,${digits}`, `v1,${digits}0`, `v1, ${digits}`]) {
      assert.deepEqual(
        readSignature({ ...signed(), 'X-Service-Webhook-Signature': value }),
        { kind: 'malformed', problem: 'signature' },
        value,
      );
    }
  });

  it('signs the bytes of a request id as they stand on the wire', () => {
    const bytes = Buffer.from('réq', 'utf8');
    const expected = createHmac('sha256', secret)
      .update(Buffer.concat([bytes, Buffer.from('.1.'), body]))
      .digest('hex');
    assert.equal(sign(secret, bytes.toString('latin1'), '1', body), expected);
  });
});
