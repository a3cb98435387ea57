import type * as vscode from 'vscode';
import type { Key } from '../../service/keys/key.ts';
import type { KeyList } from '../../service/keys/keys.ts';
import type { AccountRef } from '../../service/projects/project.ts';
import { accountState, expiringKeys, needsLook } from './accountState.ts';
import { tokenPrefix } from './tokens.ts';
import type { TokenMetadata } from './tokenState.ts';

/** A list of keys, and when it was read, in milliseconds since 1970. */
export interface KnownKeys {
  list: Extract<KeyList, { kind: 'keys' }>;
  at: number;
}

/** How many keys of an account are stored across a restart. The rest is requested again. */
const maxKeys = 500;
/** The prefix of the state entries that store the keys of accounts. */
export const keysPrefix = 'keys:';

/** The keys as they are stored: without the fields of the tooltip. */
export interface Remembered {
  keys: Omit<Key, 'fields'>[];
  at: number;
}

/** The key of an account at the address of a service: the same ids at another address are another account. */
export function accountKey(address: string, { projectId, serviceAccountId }: AccountRef): string {
  // Lists are stored under the name of what most addresses are no more than.
  return JSON.stringify({ origin: address, projectId, serviceAccountId });
}

/** The account that a key made by `accountKey` is of, whatever its address. */
export function accountOf(key: string): AccountRef {
  const { projectId, serviceAccountId } = JSON.parse(key) as AccountRef;
  return { projectId, serviceAccountId };
}

/** Whether a key made by `accountKey` is of that account, whatever its address. */
export function isOfAccount(key: string, { projectId, serviceAccountId }: AccountRef): boolean {
  const owner = accountOf(key);
  return owner.projectId === projectId && owner.serviceAccountId === serviceAccountId;
}

/**
 * Stores the last known keys of each account, for use without a network. Holds no secrets.
 */
export class KnownKeysStore {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get(account: string): KnownKeys | undefined {
    const remembered = this.#state.get<Remembered>(keysPrefix + account);
    if (remembered === undefined) return undefined;
    const keys = remembered.keys.map((key) => ({ ...key, fields: [] }));
    return { list: { kind: 'keys', keys }, at: remembered.at };
  }

  async set(account: string, { list, at }: KnownKeys): Promise<void> {
    const keys = list.keys.slice(0, maxKeys).map((key) => ({ ...key, fields: undefined }));
    await this.#state.update(keysPrefix + account, { at, keys });
  }

  /** Deletes what is stored of an account at every address: the one that its project had may be unknown by now. */
  async delete(ref: AccountRef): Promise<void> {
    for (const key of this.#state.keys()) {
      if (key.startsWith(keysPrefix) && isOfAccount(key.slice(keysPrefix.length), ref)) {
        await this.#state.update(key, undefined);
      }
    }
  }
}

/**
 * Whether one of the stored keys and tokens may need a look. This is a rough check, for a window that has loaded nothing
 * yet: the expiry watch counts them.
 * @param now milliseconds since 1970
 */
export function needLook(state: vscode.Memento, now: number, days: number): boolean {
  return state.keys().some((key) => {
    if (key.startsWith(tokenPrefix)) {
      const metadata = state.get<TokenMetadata>(key);
      return metadata !== undefined && needsLook(accountState({ kind: 'stored', ...metadata }, now, days));
    }
    if (!key.startsWith(keysPrefix)) return false;
    return expiringKeys(state.get<Remembered>(key)?.keys ?? [], now, days).length > 0;
  });
}
