import * as vscode from 'vscode';
import { ManagementClient } from '../../client/managementClient.ts';
import type { Transport } from '../../client/transport.ts';
import { type KeyList, readKeys } from '../../model/keys.ts';
import type { ServiceAccount } from '../../model/project.ts';
import { DeclinedError } from '../declinedError.ts';
import type { Log } from '../log.ts';
import type { Projects } from './projects.ts';

/** A list as it was at one time, in milliseconds since 1970. */
export interface KnownKeys {
  list: KeyList;
  at: number;
}

/** What is known of the keys of a service account. `last` is what was known before. */
export type KeysState =
  | { kind: 'unknown' }
  | { kind: 'loading'; last?: KnownKeys; cancel: () => void }
  | { kind: 'known'; last: KnownKeys }
  | { kind: 'failed'; error: unknown; last?: KnownKeys };

/** Whose keys. */
export interface AccountRef {
  projectId: string;
  serviceAccountId: string;
}

/** The keys of each service account: loads them, one request an account at a time, and remembers them. */
export class KeyLists implements vscode.Disposable {
  readonly #projects: Projects;
  readonly #transport: Transport;
  readonly #userAgent: string;
  readonly #log: Log;
  readonly #states = new Map<string, KeysState>();
  readonly #loading = new Map<string, Promise<KeyList>>();
  readonly #changed = new vscode.EventEmitter<AccountRef>();
  /** The state of one account changed; the others are as they were. */
  readonly onDidChange = this.#changed.event;

  constructor(projects: Projects, transport: Transport, userAgent: string, log: Log) {
    this.#projects = projects;
    this.#transport = transport;
    this.#userAgent = userAgent;
    this.#log = log;
  }

  state(ref: AccountRef): KeysState {
    return this.#states.get(this.#key(ref)) ?? { kind: 'unknown' };
  }

  /**
   * Asks the service for the keys of an account; joins a request that is under way.
   * @throws UserError where there is no such account or no token, and what the ManagementClient throws
   */
  async load(ref: AccountRef): Promise<KeyList> {
    const account = this.#projects.serviceAccount(ref.projectId, ref.serviceAccountId);
    const key = this.#key(ref);
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const loading = this.#load(ref, account, key).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  /** Asks a token that is not stored yet for the keys of an account, to see whether the service takes it. */
  async tryToken(ref: AccountRef, token: string): Promise<void> {
    await this.#client(ref.projectId, token).listKeys(ref.projectId, ref.serviceAccountId);
  }

  /**
   * Asks for the keys of every account whose token is stored. What fails is shown where it belongs, and
   * rejects nothing here.
   */
  async loadAll(): Promise<void> {
    const all = this.#projects
      .all()
      .flatMap(({ id, serviceAccounts }) =>
        serviceAccounts.map((account) => ({ projectId: id, serviceAccountId: account.id })),
      );
    await Promise.all(
      all.map(async (ref) => {
        if ((await this.#projects.storedToken(ref.projectId, ref.serviceAccountId)) === undefined) return;
        await this.load(ref).catch((error: unknown) => this.#log.debug(String(error)));
      }),
    );
  }

  /** Forgets one account: its token is another one now. */
  forgetOne(ref: AccountRef): void {
    const state = this.state(ref);
    if (state.kind === 'loading') state.cancel();
    this.#states.delete(this.#key(ref));
    this.#changed.fire(ref);
  }

  /** Forgets what failed and what is known; the next one who looks loads it again. */
  forget(): void {
    for (const state of this.#states.values()) if (state.kind === 'loading') state.cancel();
    this.#states.clear();
  }

  dispose(): void {
    this.forget();
    this.#changed.dispose();
  }

  async #load(ref: AccountRef, account: ServiceAccount, key: string): Promise<KeyList> {
    const before = this.#states.get(key);
    const known = before !== undefined && 'last' in before && { last: before.last };
    const canceller = new AbortController();
    const cancel = () => canceller.abort(new DeclinedError(vscode.l10n.t('Cancelled.')));
    const set = (state: KeysState) => {
      this.#states.set(key, state);
      this.#changed.fire(ref);
    };
    set({ kind: 'loading', ...known, cancel });
    try {
      const token = await this.#projects.requireToken(ref.projectId, account);
      const client = this.#client(ref.projectId, token);
      const list = readKeys(await client.listKeys(ref.projectId, account.id, canceller.signal));
      if (list.kind === 'unrecognised') this.#log.warn(`The keys of ${account.id} have an unknown shape.`);
      set({ kind: 'known', last: { list, at: Date.now() } });
      return list;
    } catch (error) {
      set({ kind: 'failed', error, ...known });
      throw error;
    }
  }

  #client(projectId: string, token: string): ManagementClient {
    return new ManagementClient({
      transport: this.#transport,
      service: this.#projects.service(projectId),
      token,
      userAgent: this.#userAgent,
      t: vscode.l10n.t,
    });
  }

  /** An account behind another address is another account. */
  #key({ projectId, serviceAccountId }: AccountRef): string {
    return JSON.stringify(this.#projects.tokenOwner(projectId, serviceAccountId));
  }
}
