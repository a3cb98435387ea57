import type { Delivery } from '../model/delivery.ts';
import { bodyOf } from './deliveryBody.ts';
import type { Evidence } from './diagnosis.ts';

/** The secrets held: the current one, and earlier ones with the time (Unix milliseconds) until which they verify. */
export interface KnownSecrets {
  current?: string | undefined;
  earlier: readonly { secret: string; until: number }[];
}

/** A kept delivery as it was to be verified when it arrived. */
export function evidenceOf(delivery: Delivery, held: KnownSecrets, toleranceSeconds: number): Evidence {
  const arrived = Date.parse(delivery.receivedAt);
  const valid = held.earlier.filter(({ until }) => until > arrived);
  const retired = held.earlier.filter(({ until }) => until <= arrived);
  return {
    headers: delivery.headers,
    body: bodyOf(delivery),
    secrets: [held.current ?? '', ...valid.map(({ secret }) => secret)],
    retired: retired.map(({ secret }) => secret),
    clock: arrived / 1000,
    toleranceSeconds,
  };
}
