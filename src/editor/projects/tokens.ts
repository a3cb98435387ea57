import * as vscode from 'vscode';
import { hasNoExpiry, tokenExpiry } from '../../service/keys/token.ts';
import type { AccountRef } from '../../service/projects/project.ts';
import type { TokenMetadata, TokenState } from './tokenState.ts';

/** The owner of a token, which is sent to this origin only. */
export interface TokenOwner extends AccountRef {
  /** The origin of the management API; empty while no address is set. */
  origin: string;
}

/** What is in the secret store, without the values. */
interface Stored {
  keys: ReadonlySet<string>;
  /** An origin that each account has a token for. */
  origins: ReadonlyMap<string, string>;
}

/** The prefix of the keys under which tokens and their metadata are stored. */
export const tokenPrefix = 'runhook.token:';

/**
 * The tokens of service accounts. The values are only in SecretStorage. Their metadata is in the global state, so
 * that a lost value is noticed.
 */
export class Tokens implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** What was stored when it was last read. It stays in use while it is read again. */
  #stored: Promise<Stored> | undefined;
  #readCount = 0;
  /** The number of the read that `#stored` comes from. */
  #storedReadNumber = 0;
  /** Fires after the stored keys were read again: any token may have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #deleted = new vscode.EventEmitter<TokenOwner>();
  /** The token of this owner was deleted in this window. Fires before {@link onDidChange}. */
  readonly onDidDelete = this.#deleted.event;

  constructor(secrets: vscode.SecretStorage, state: vscode.Memento) {
    this.#secrets = secrets;
    this.#state = state;
    // Other windows store tokens too.
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(tokenPrefix)) void this.#readAgain();
    });
  }

  /** The state of a token. Reads only the keys of the store: reading each value is slow if the store is remote. */
  async state(owner: TokenOwner): Promise<TokenState> {
    await this.#adopt(owner);
    const key = keyOf(owner);
    const metadata = this.#state.get<TokenMetadata>(key);
    const { keys, origins } = await this.#allStored();
    if (keys.has(key)) return { kind: 'stored', isJwt: false, ...metadata };
    if (metadata !== undefined) return { kind: 'missing' };
    return { kind: 'none', elsewhere: origins.get(accountOf(owner)) };
  }

  /** The token itself, to be sent to its origin; undefined where none is stored. */
  async get(owner: TokenOwner): Promise<string | undefined> {
    await this.#adopt(owner);
    const key = keyOf(owner);
    const token = await this.#secrets.get(key);
    if (token === undefined && (await this.#allStored()).keys.has(key)) await this.#readAgain();
    return token;
  }

  async set(owner: TokenOwner, token: string): Promise<void> {
    const key = keyOf(owner);
    const metadata: TokenMetadata = {
      isJwt: hasNoExpiry(token) || tokenExpiry(token) !== undefined,
      expiresAt: tokenExpiry(token),
    };
    const before = this.#state.get<TokenMetadata>(key);
    // TokenMetadata first: a value that the store then fails to keep shows as missing.
    await this.#state.update(key, metadata);
    try {
      // guard S74: Secrets go to the secret store of the editor.
      await this.#secrets.store(key, token);
    } catch (error) {
      // The store still has the token before.
      if (before !== undefined) await this.#state.update(key, before);
      throw error;
    }
    await this.#readAgain();
  }

  /**
   * Notes what the service last said of a token, unless another one is stored by now.
   * @param refused the status of a refusal; undefined if it was accepted
   * @returns whether it says otherwise than before
   */
  async noteAnswer(owner: TokenOwner, token: string, refused: number | undefined): Promise<boolean> {
    const key = keyOf(owner);
    if (this.#state.get<TokenMetadata>(key)?.refused === refused) return false;
    if ((await this.#secrets.get(key)) !== token) return false;
    const metadata = this.#state.get<TokenMetadata>(key);
    if (metadata === undefined) return false;
    await this.#state.update(key, { ...metadata, refused });
    this.#changed.fire();
    return true;
  }

  async delete(owner: TokenOwner): Promise<void> {
    await this.#deleteKey(keyOf(owner));
    this.#deleted.fire(owner);
    await this.#readAgain();
  }

  /** Deletes all matching tokens, whatever their origin. A failed deletion does not stop the others. */
  async deleteAll(matches: (owner: TokenOwner) => boolean): Promise<number> {
    const keys = new Set([...(await this.#secrets.keys()), ...this.#state.keys()]);
    const matching = [...keys].flatMap((key) => ownerOf(key) ?? []).filter(matches);
    const failures: unknown[] = [];
    for (const owner of matching) {
      await this.#deleteKey(keyOf(owner)).then(
        () => this.#deleted.fire(owner),
        (error: unknown) => failures.push(error),
      );
    }
    await this.#readAgain();
    if (failures.length > 0) throw failures[0];
    return matching.length;
  }

  /** Every stored token, for comparison in memory only. */
  async values(): Promise<string[]> {
    const keys = [...(await this.#allStored()).keys].filter((key) => key.startsWith(tokenPrefix));
    const values = await Promise.all(keys.map(async (key) => this.#secrets.get(key)));
    return values.filter((value) => value !== undefined);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
    this.#deleted.dispose();
  }

  async #deleteKey(key: string): Promise<void> {
    await this.#secrets.delete(key);
    await this.#state.update(key, undefined);
  }

  /** Moves a token that was stored before any address was set to the first address that is. */
  async #adopt(owner: TokenOwner): Promise<void> {
    if (owner.origin === '') return;
    const unaddressed = { ...owner, origin: '' };
    const { keys } = await this.#allStored();
    if (!keys.has(keyOf(unaddressed))) return;
    const token = await this.#secrets.get(keyOf(unaddressed));
    if (token !== undefined && !keys.has(keyOf(owner))) await this.set(owner, token);
    await this.#deleteKey(keyOf(unaddressed));
    await this.#readAgain();
  }

  async #allStored(): Promise<Stored> {
    this.#stored ??= this.#read();
    try {
      return await this.#stored;
    } catch (error) {
      this.#stored = undefined;
      throw error;
    }
  }

  /** Reads the stored keys again: the store may lose a value silently. An older read never replaces a newer one. */
  async #readAgain(): Promise<void> {
    const number = ++this.#readCount;
    const reading = this.#read();
    // If the read fails, the next caller gets the error.
    await reading.catch(() => undefined);
    if (number < this.#storedReadNumber) return;
    this.#storedReadNumber = number;
    this.#stored = reading;
    this.#changed.fire();
  }

  async #read(): Promise<Stored> {
    const keys = await this.#secrets.keys();
    const owners = keys.flatMap((key) => ownerOf(key) ?? []);
    return { keys: new Set(keys), origins: new Map(owners.map((one) => [accountOf(one), one.origin])) };
  }
}

function keyOf({ origin, projectId, serviceAccountId }: TokenOwner): string {
  // guard S119: A token is kept, and sent, by the origin that it was stored for.
  return tokenPrefix + JSON.stringify([origin, projectId, serviceAccountId]);
}

function accountOf({ projectId, serviceAccountId }: AccountRef): string {
  return JSON.stringify([projectId, serviceAccountId]);
}

/** The owner that a key of a token or of its metadata stands for; undefined for any other key. */
export function ownerOf(key: string): TokenOwner | undefined {
  if (!key.startsWith(tokenPrefix)) return undefined;
  const ids = JSON.parse(key.slice(tokenPrefix.length)) as string[];
  const [origin = '', projectId = '', serviceAccountId = ''] = ids;
  return { origin, projectId, serviceAccountId };
}
