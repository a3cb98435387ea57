import { createHmac } from 'node:crypto';
import type { HeldSecret } from '../../../src/service/signature/webhookSecret.ts';
import type { Evidence } from '../../../src/service/diagnosis/diagnosis.ts';
import { defaultSecret } from '../listener/defaultSecret.ts';

export const clock = 1_790_000_000;
export const secret = 'held-secret';
export const requestId = '5a0c63c1-9f0d-4c4e-8b1e-2f7a8e9d1c00';
export const body =
  '{"run_id":"r-1","result":{"text":"h\\u00e9 / <b>","n":1.50,"list":[],"more":[1,{"a":null}]}}';

/** What the sender does; each test changes the one thing that it is about. */
export interface Sending {
  key: string | Buffer;
  requestId: string;
  timestamp: string;
  body: string | Buffer;
  encoding: 'hex' | 'base64';
  prefix: string;
}

const right: Sending = {
  key: secret,
  requestId,
  timestamp: clock.toString(),
  body,
  encoding: 'hex',
  prefix: 'v1,',
};

/** A delivery as the sender signed it, then as it arrived. */
export function delivery(
  signed: Partial<Sending>,
  arrived: {
    requestId?: string;
    timestamp?: string;
    body?: string | Buffer;
    headers?: Record<string, string>;
  } = {},
  secrets: readonly (string | HeldSecret)[] = [secret],
): Evidence {
  const as = { ...right, ...signed };
  const signature = createHmac('sha256', as.key)
    .update(`${as.requestId}.${as.timestamp}.`)
    .update(as.body)
    .digest(as.encoding);
  return {
    headers: {
      'content-type': 'application/json',
      'x-request-id': arrived.requestId ?? as.requestId,
      'x-service-webhook-timestamp': arrived.timestamp ?? as.timestamp,
      'x-service-webhook-signature': as.prefix + signature,
      ...arrived.headers,
    },
    body: Buffer.from(arrived.body ?? as.body),
    secrets: secrets.map((one) => (typeof one === 'string' ? defaultSecret(one) : one)),
    clock,
    toleranceSeconds: 300,
  };
}
