import * as vscode from 'vscode';
import { readClaims, tokenExpiry } from '../../../model/keys/token.ts';
import type { AccountRef } from '../../../model/projects/project.ts';

/** Whose token: it is sent to this origin only. */
export interface TokenOwner extends AccountRef {
  /** The origin of the management API; empty while no address is set. */
  origin: string;
}

/** What is known of a token without reading it. */
export type TokenState =
  | { kind: 'none' }
  | ({ kind: 'stored' } & Metadata)
  /** It was stored, and the secret store has lost it. */
  | { kind: 'missing' };

interface Metadata {
  /** In milliseconds since 1970; undefined where the token does not say. */
  expiresAt?: number | undefined;
  isJwt: boolean;
}

/** What the keys begin with under which tokens, and what is known of them, are kept. */
export const tokenPrefix = 'runhook.token:';

/**
 * The tokens of service accounts: the values in SecretStorage and nowhere else, what may be known of them in
 * the global state, so that a value that got lost is noticed.
 */
export class Tokens implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  /** As they were last read: nobody waits while they are read again. */
  #keys: Promise<ReadonlySet<string>> | undefined;
  #readings = 0;
  /** The reading that they are of. */
  #readingOfKeys = 0;
  /** Something may have changed, and what the store holds has been read again. */
  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, state: vscode.Memento) {
    this.#secrets = secrets;
    this.#state = state;
    // Other windows store tokens too.
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key.startsWith(tokenPrefix)) void this.#readAgain();
    });
  }

  /** What is known of a token. Asks the store for its keys only: reading each value is slow where it is remote. */
  async state(owner: TokenOwner): Promise<TokenState> {
    await this.#adopt(owner);
    const key = keyOf(owner);
    const metadata = this.#state.get<Metadata>(key);
    if ((await this.#storedKeys()).has(key)) {
      return { kind: 'stored', isJwt: false, ...metadata };
    }
    return metadata === undefined ? { kind: 'none' } : { kind: 'missing' };
  }

  /** The token itself, to be sent to its origin; undefined where none is stored. */
  async get(owner: TokenOwner): Promise<string | undefined> {
    await this.#adopt(owner);
    const key = keyOf(owner);
    const token = await this.#secrets.get(key);
    if (token === undefined && (await this.#storedKeys()).has(key)) await this.#readAgain();
    return token;
  }

  async set(owner: TokenOwner, token: string): Promise<void> {
    const key = keyOf(owner);
    const metadata: Metadata = { isJwt: readClaims(token) !== undefined, expiresAt: tokenExpiry(token) };
    // Metadata first: a value that the store then fails to keep shows as missing.
    await this.#state.update(key, metadata);
    // guard: they go to the secret store of the editor
    await this.#secrets.store(key, token);
    await this.#readAgain();
  }

  async delete(owner: TokenOwner): Promise<void> {
    await this.#deleteKey(keyOf(owner));
    await this.#readAgain();
  }

  /** Deletes the tokens that fit, whatever their origin. One that cannot be deleted does not keep the others. */
  async deleteAll(fits: (owner: TokenOwner) => boolean): Promise<number> {
    const keys = new Set([...(await this.#secrets.keys()), ...this.#state.keys()]);
    const doomed = [...keys].filter((key) => {
      const owner = ownerOf(key);
      return owner !== undefined && fits(owner);
    });
    const failures: unknown[] = [];
    for (const key of doomed) {
      await this.#deleteKey(key).catch((error: unknown) => failures.push(error));
    }
    await this.#readAgain();
    if (failures.length > 0) throw failures[0];
    return doomed.length;
  }

  /** Every stored token, to be compared with in memory. */
  async values(): Promise<string[]> {
    const keys = [...(await this.#storedKeys())].filter((key) => key.startsWith(tokenPrefix));
    const values = await Promise.all(keys.map(async (key) => this.#secrets.get(key)));
    return values.filter((value) => value !== undefined);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  async #deleteKey(key: string): Promise<void> {
    await this.#secrets.delete(key);
    await this.#state.update(key, undefined);
  }

  /** A token that was given before any address was set belongs to the first one that is. */
  async #adopt(owner: TokenOwner): Promise<void> {
    if (owner.origin === '') return;
    const homeless = { ...owner, origin: '' };
    const keys = await this.#storedKeys();
    if (!keys.has(keyOf(homeless))) return;
    const token = await this.#secrets.get(keyOf(homeless));
    if (token !== undefined && !keys.has(keyOf(owner))) await this.set(owner, token);
    await this.#deleteKey(keyOf(homeless));
    await this.#readAgain();
  }

  async #storedKeys(): Promise<ReadonlySet<string>> {
    this.#keys ??= this.#read();
    try {
      return await this.#keys;
    } catch (error) {
      this.#keys = undefined;
      throw error;
    }
  }

  /** Reads what the store holds, which may have lost a value without a word; an older reading never takes its place. */
  async #readAgain(): Promise<void> {
    const number = ++this.#readings;
    const reading = this.#read();
    // Who asks next is told if it cannot be read.
    await reading.catch(() => undefined);
    if (number < this.#readingOfKeys) return;
    this.#readingOfKeys = number;
    this.#keys = reading;
    this.#changed.fire();
  }

  async #read(): Promise<ReadonlySet<string>> {
    return new Set(await this.#secrets.keys());
  }
}

/** The origin of an address; empty where it is none. */
export function originOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.origin ?? '';
}

function keyOf({ origin, projectId, serviceAccountId }: TokenOwner): string {
  // guard: a token is kept, and sent, by the origin it was stored for
  return tokenPrefix + JSON.stringify([origin, projectId, serviceAccountId]);
}

/** Whose token a key of the store, or of what is known of tokens, stands for; undefined for any other key. */
export function ownerOf(key: string): TokenOwner | undefined {
  if (!key.startsWith(tokenPrefix)) return undefined;
  const ids = JSON.parse(key.slice(tokenPrefix.length)) as string[];
  const [origin = '', projectId = '', serviceAccountId = ''] = ids;
  return { origin, projectId, serviceAccountId };
}
