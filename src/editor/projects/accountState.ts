import { isOutOfUse, type Key, keyStatus } from '../../service/keys/key.ts';
import { isRefused, type TokenState } from './tokenState.ts';

/** What a service account is good for right now. What the service last said of its token beats the token's date. */
export type AccountState =
  /** `elsewhere`: its token is for another address. */
  | { kind: 'none' | 'elsewhere' | 'missing' | 'rejected' | 'withoutExpiry' | 'stored' }
  /** In milliseconds since 1970. */
  | { kind: 'expired' | 'expiring' | 'valid'; expiresAt: number };

/** @param now milliseconds since 1970 */
export function accountState(token: TokenState, now: number, warningDays: number): AccountState {
  if (token.kind === 'none') return { kind: token.elsewhere === undefined ? 'none' : 'elsewhere' };
  if (token.kind === 'missing') return token;
  if (isRefused(token, now)) return { kind: 'rejected' };
  const { expiresAt, isJwt } = token;
  if (expiresAt === undefined) return { kind: isJwt ? 'withoutExpiry' : 'stored' };
  const status = keyStatus(expiresAt, now, warningDays);
  return { kind: status === 'unknown' ? 'stored' : status, expiresAt };
}

/** Whether the badge counts the token: the service rejects it, it has expired, or does soon, or the store lost it. */
export function needsLook({ kind }: AccountState): boolean {
  return kind === 'rejected' || kind === 'expired' || kind === 'expiring' || kind === 'missing';
}

/** The keys of an account that the badge counts: they expire soon. One that is out of use breaks nothing then. */
export function expiringKeys<K extends Pick<Key, 'expiresAt' | 'state'>>(
  keys: readonly K[],
  now: number,
  warningDays: number,
): (K & { expiresAt: number })[] {
  return keys.filter(
    (key): key is K & { expiresAt: number } =>
      !isOutOfUse(key.state) && keyStatus(key.expiresAt, now, warningDays) === 'expiring',
  );
}
