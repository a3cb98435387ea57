import type { KeyState } from './keyState.ts';

/** A key of a service account, as far as it could be read. Nothing in it is a secret any more. */
export interface Key {
  id?: string;
  name?: string;
  /** Milliseconds since 1970, like `expiresAt`. */
  createdAt?: number;
  expiresAt?: number;
  /** Absent where the service says nothing of it. */
  state?: KeyState;
  /** The fields that the service sent, known or not, for the tooltip: so many, and so much of each, as one reads. */
  fields: readonly { name: string; text: string }[];
}

/** By its expiry; `unknown` where the service names none. */
export type KeyStatus = 'valid' | 'expiring' | 'expired' | 'unknown';

/** @param now and `expiresAt`: milliseconds since 1970 */
export function keyStatus(expiresAt: number | undefined, now: number, warningDays: number): KeyStatus {
  if (expiresAt === undefined) return 'unknown';
  if (expiresAt <= now) return 'expired';
  return expiresAt - now <= warningDays * 24 * 60 * 60 * 1000 ? 'expiring' : 'valid';
}

/** Whether anything of a key could be read. */
export function saysSomething({ id, name, createdAt, expiresAt }: Key): boolean {
  return [id, name, createdAt, expiresAt].some((one) => one !== undefined);
}
