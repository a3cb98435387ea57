import type { KeyState } from './keyState.ts';

/** A key of a service account, as far as it could be read. Its secrets are already masked. */
export interface Key {
  id?: string;
  name?: string;
  /** Milliseconds since 1970, like `expiresAt`. */
  createdAt?: number;
  expiresAt?: number;
  /** What the service gives as the expiry, if it cannot be read as one. */
  unreadExpiry?: string;
  /** Absent if the service does not report one. */
  state?: KeyState;
  /** The fields that the service sent, known or not, for the tooltip. Limited in number and length. */
  fields: readonly { name: string; text: string }[];
}

/** The status of a key by its expiry; `unknown` if the service gives no expiry. */
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
