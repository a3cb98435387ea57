import type * as vscode from 'vscode';
import { expiringSoon } from '../../../model/keys/expiringSoon.ts';
import { tokenPrefix } from '../tokens/tokens.ts';
import { keysPrefix, type Remembered } from './knownKeysStore.ts';

/**
 * Whether one of the stored keys and tokens may expire within the given number of days. This is a rough check: the
 * expiry watch decides which of them cause a notice.
 * @param now milliseconds since 1970
 */
export function expiresSoon(state: vscode.Memento, now: number, days: number): boolean {
  const remembered = state.keys().flatMap((key): ({ expiresAt?: number } | undefined)[] => {
    if (key.startsWith(tokenPrefix)) return [state.get(key)];
    return key.startsWith(keysPrefix) ? (state.get<Remembered>(key)?.keys ?? []) : [];
  });
  const expiring = remembered.flatMap((one) =>
    one?.expiresAt === undefined ? [] : [{ expiresAt: one.expiresAt }],
  );
  return expiringSoon(expiring, now, days).length > 0;
}
