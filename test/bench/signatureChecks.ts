import { createHmac } from 'node:crypto';
import { sign, verify } from '../../src/webhooks/signature/signature.ts';
import { median, spread } from './statistics.ts';

const secret = 'the secret of the benchmark';
const rounds = 7;

/** Whole checks a second, headers included, beside the HMAC alone as `createHmac` makes it. */
export function signatureChecks(bodyBytes: number): string {
  const timestamp = Math.floor(Date.now() / 1000).toString();
  const body = Buffer.alloc(bodyBytes, 'x');
  const count = bodyBytes > 10_000 ? 2000 : 30_000;
  const webhooks = Array.from({ length: 500 }, () => {
    const requestId = crypto.randomUUID();
    const signature = `v1,${sign(secret, requestId, timestamp, body)}`;
    const ours = ['X-Request-Id', requestId, 'X-Service-Webhook-Timestamp', timestamp];
    const rawHeaders = ['Host', '127.0.0.1', 'Content-Type', 'application/json', ...ours];
    return { requestId, rawHeaders: [...rawHeaders, 'X-Service-Webhook-Signature', signature] };
  });
  const perSecond = (check: (webhook: (typeof webhooks)[number]) => unknown): number => {
    const started = performance.now();
    for (let index = 0; index < count; index += 1) {
      const webhook = webhooks[index % webhooks.length];
      if (webhook !== undefined) check(webhook);
    }
    return (count * 1000) / (performance.now() - started);
  };
  const clock = Number(timestamp);
  const parts: number[] = [];
  const checks: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const raw = perSecond(({ requestId }) =>
      createHmac('sha256', secret).update(`${requestId}.${timestamp}.`, 'latin1').update(body).digest(),
    );
    const whole = perSecond(({ rawHeaders }) => {
      if (verify(rawHeaders, body, [secret], clock, 300).verdict !== 'verified')
        throw new Error('Not verified.');
    });
    checks.push(whole);
    parts.push(whole / raw);
  }
  const thousands = Math.round(median(checks) / 1000);
  return `${bodyBytes / 1024} KB: ${thousands},000 signature checks a second, ${median(parts).toFixed(2)} (${spread(parts)}) of createHmac alone`;
}
