import type { HeldSecret } from '../../../src/service/signature/webhookSecret.ts';

/** The default secret, which belongs to no project or app. @param until the end of its validity, if it was replaced */
export function defaultSecret(secret: string, until?: number): HeldSecret {
  return { secret, owner: { kind: 'default' }, ...(until !== undefined && { until }) };
}
