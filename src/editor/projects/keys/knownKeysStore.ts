import * as v from 'valibot';
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

const text = v.exactOptional(v.string());
const time = v.exactOptional(v.number());
const state = v.variant('kind', [
  v.object({ kind: v.literal('revoked') }),
  v.object({ kind: v.literal('disabled') }),
  v.object({ kind: v.literal('said'), word: v.string() }),
]);
const schema = v.object({
  at: v.number(),
  keys: v.array(
    v.object({ id: text, name: text, createdAt: time, expiresAt: time, state: v.exactOptional(state) }),
  ),
});

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
    const read = v.safeParse(schema, this.#state.get(keysPrefix + account));
    if (!read.success) return undefined;
    const keys = read.output.keys.map((key): Key => ({ ...key, fields: [] }));
    return { list: { kind: 'keys', keys }, at: read.output.at };
  }

  async set(account: string, { list, at }: KnownKeys): Promise<void> {
    if (list.kind !== 'keys') return;
    const keys = list.keys.slice(0, kept).map((key) => ({ ...key, fields: undefined }));
    await this.#state.update(keysPrefix + account, { at, keys });
  }

  /** The id of the account whose token the keys of another one may be read with. */
  lenderOf(account: string): string | undefined {
    const id: unknown = this.#state.get(lenderPrefix + account);
    return typeof id === 'string' ? id : undefined;
  }

  async setLender(account: string, lenderId: string): Promise<void> {
    await this.#state.update(lenderPrefix + account, lenderId);
  }

  async delete(account: string): Promise<void> {
    await this.#state.update(keysPrefix + account, undefined);
    await this.#state.update(lenderPrefix + account, undefined);
  }
}
