import type { HeldSecret } from '../../src/model/secrets/webhookSecret.ts';

/** A secret as the listener holds it that is of no project and no app. @param until for one that was replaced */
export function defaultSecret(secret: string, until?: number): HeldSecret {
  return { secret, owner: { kind: 'default' }, ...(until !== undefined && { until }) };
}
