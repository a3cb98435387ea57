import type * as vscode from 'vscode';
import type { Key } from '../../../model/keys/key.ts';
import type { KeyList } from '../../../model/keys/keys.ts';

/** A list as it was at one time, in milliseconds since 1970. */
export interface KnownKeys {
  list: KeyList;
  at: number;
}

/** So many keys of an account are remembered over a restart; the rest is asked for again. */
const kept = 500;
/** What the keys begin with under which the keys of accounts are remembered. */
export const keysPrefix = 'keys:';
const lenderPrefix = 'lender:';

/** As they are remembered: without the fields of the tooltip. */
export interface Remembered {
  keys: Omit<Key, 'fields'>[];
  at: number;
}

/**
 * What was last known of the keys of each account, for the time without network; and whose token they may be read
 * with, where the user has agreed to one. Holds no secrets.
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
    if (list.kind !== 'keys') return;
    const keys = list.keys.slice(0, kept).map((key) => ({ ...key, fields: undefined }));
    await this.#state.update(keysPrefix + account, { at, keys });
  }

  /** The id of the account whose token the keys of another one may be read with. */
  lenderOf(account: string): string | undefined {
    return this.#state.get<string>(lenderPrefix + account);
  }

  async setLender(account: string, lenderId: string): Promise<void> {
    await this.#state.update(lenderPrefix + account, lenderId);
  }

  async delete(account: string): Promise<void> {
    await this.#state.update(keysPrefix + account, undefined);
    await this.#state.update(lenderPrefix + account, undefined);
  }
}
