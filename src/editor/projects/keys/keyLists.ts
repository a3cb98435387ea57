import * as vscode from 'vscode';
import { ManagementClient } from '../../../client/managementClient.ts';
import type { Transport } from '../../../client/transport.ts';
import type { Service } from '../../../model/service/endpoints.ts';
import type { Key } from '../../../model/keys/key.ts';
import { type KeyList, readKeys } from '../../../model/keys/keys.ts';
import type { AccountRef, ServiceAccount } from '../../../model/projects/project.ts';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { viewIds } from '../../ids.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { type Log, logError } from '../../log.ts';
import { Lenders } from '../tokens/lenders.ts';
import type { KnownKeys, KnownKeysStore } from './knownKeysStore.ts';
import type { Projects } from '../projects.ts';

/** What is known of the keys of a service account. `last` is what was known before. */
export type KeysState =
  | { kind: 'unknown' }
  /** `since` when, in milliseconds since 1970. */
  | { kind: 'loading'; since: number; list: Promise<KeyList>; cancel: () => void; last?: KnownKeys }
  | { kind: 'known'; last: KnownKeys }
  | { kind: 'failed'; error: unknown; last?: KnownKeys };

/** The keys of each service account: loads them, one request an account at a time, and remembers them. */
export class KeyLists implements vscode.Disposable {
  readonly #projects: Projects;
  readonly #transport: Transport;
  readonly #userAgent: string;
  readonly #store: KnownKeysStore;
  readonly lenders: Lenders;
  readonly #log: Log;
  readonly #states = new Map<string, KeysState>();
  readonly #changed = new vscode.EventEmitter<AccountRef | undefined>();
  /** The state of one account changed and the others are as they were, or undefined: any may have. */
  readonly onDidChange = this.#changed.event;

  constructor(projects: Projects, transport: Transport, userAgent: string, store: KnownKeysStore, log: Log) {
    this.#projects = projects;
    this.#transport = transport;
    this.#userAgent = userAgent;
    this.#store = store;
    this.lenders = new Lenders(projects, store, () => this.#changed.fire(undefined));
    this.#log = log;
  }

  state(ref: AccountRef): KeysState {
    return this.#states.get(this.#key(ref)) ?? { kind: 'unknown' };
  }

  /** The keys as they were when they were last seen, be it before a restart. */
  knownKeys(ref: AccountRef): readonly Key[] {
    const list = this.#known(this.#key(ref)).last?.list;
    return list?.kind === 'keys' ? list.keys : [];
  }

  /**
   * Asks the service for the keys of an account; joins a request that is under way. Where the account has no token,
   * that of another one is sent, if the user has agreed to it.
   * @throws UserError where there is no such account or no token, and what the ManagementClient throws
   */
  async load(ref: AccountRef): Promise<KeyList> {
    const account = this.#projects.serviceAccount(ref.projectId, ref.serviceAccountId);
    const key = this.#key(ref);
    const before = this.state(ref);
    if (before.kind === 'loading') return before.list;
    const canceller = new AbortController();
    const list = this.#load(ref, account, canceller.signal);
    const cancel = () => canceller.abort(new DeclinedError(t('Cancelled.')));
    const known = this.#known(key);
    const loading: KeysState = { kind: 'loading', since: Date.now(), list, cancel, ...known };
    this.#set(key, ref, loading);
    // A request that was forgotten meanwhile has nothing to say any more.
    const settle = (state: KeysState) => {
      if (this.#states.get(key) !== loading) return;
      this.#set(key, ref, state);
      if (state.kind !== 'known') return;
      this.#remember(key, ref, state.last).catch((error: unknown) => this.#log.warn(String(error)));
    };
    const settled = list.then(
      (read) => settle({ kind: 'known', last: { list: read, at: Date.now() } }),
      (error: unknown) => {
        if (!(error instanceof UserError)) logError(this.#log, error);
        settle({ kind: 'failed', error, ...known });
      },
    );
    void vscode.window.withProgress({ location: { viewId: viewIds.projects } }, () => settled);
    return list;
  }

  cancel(ref: AccountRef): void {
    const state = this.state(ref);
    if (state.kind === 'loading') state.cancel();
  }

  /** Asks for the keys of an account with a token that may not be stored yet. @returns what the service answers */
  async ask(
    service: Service,
    token: string,
    { projectId, serviceAccountId }: AccountRef,
    signal: AbortSignal,
  ): Promise<unknown> {
    const [transport, userAgent] = [this.#transport, this.#userAgent];
    const client = new ManagementClient({ transport, service, token, userAgent });
    return client.listKeys(projectId, serviceAccountId, signal);
  }

  /**
   * Asks for the keys of every account whose token is stored. What fails is shown where it belongs, and
   * rejects nothing here.
   * @param options.lent of those too that are read with another account's token
   */
  async loadAll({ lent = false } = {}): Promise<void> {
    const all = this.#projects
      .all()
      .flatMap(({ id, serviceAccounts }) =>
        serviceAccounts.map((account) => ({ projectId: id, serviceAccountId: account.id })),
      );
    await Promise.all(
      all.map(async (ref) => {
        try {
          if (await this.#canAsk(ref, lent)) await this.load(ref);
        } catch (error) {
          this.#log.debug(String(error));
        }
      }),
    );
  }

  /** Forgets one account: its token is another one now. */
  forgetOne(ref: AccountRef): void {
    this.cancel(ref);
    this.#states.delete(this.#key(ref));
    this.#changed.fire(ref);
  }

  /** Forgets one account for good: what was remembered of it for the next start as well. */
  async erase(ref: AccountRef): Promise<void> {
    this.forgetOne(ref);
    await this.#store.delete(this.#key(ref));
  }

  /** Forgets everything; the next one who looks loads it again. */
  forget(): void {
    const states = [...this.#states.values()];
    this.#states.clear();
    for (const state of states) if (state.kind === 'loading') state.cancel();
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.forget();
    this.#changed.dispose();
  }

  async #load(ref: AccountRef, account: ServiceAccount, signal: AbortSignal): Promise<KeyList> {
    const { service, token } = await this.#access(ref, account);
    const list = readKeys(await this.ask(service, token, ref, signal));
    if (list.kind === 'unrecognised') this.#log.warn(`The keys of ${account.id} have an unknown shape.`);
    return list;
  }

  /** By its own token, else by that of the account that the user has agreed to. */
  async #access(ref: AccountRef, account: ServiceAccount): Promise<{ service: Service; token: string }> {
    try {
      return await this.#projects.accountAccess(ref.projectId, account);
    } catch (error) {
      const lender = await this.lenders.find(ref);
      // guard: by nobody who does not ask you
      if (lender?.isAllowed !== true) throw error;
      return this.#projects.accountAccess(ref.projectId, lender.account);
    }
  }

  #known(key: string): { last?: KnownKeys } {
    const state = this.#states.get(key);
    if (state !== undefined && 'last' in state) return { last: state.last };
    const last = this.#store.get(key);
    return last === undefined ? {} : { last };
  }

  async #remember(key: string, ref: AccountRef, last: KnownKeys): Promise<void> {
    // The sandbox has another address the next time: nobody would ask for its keys again.
    if (this.#projects.isTransient(ref.projectId)) return;
    // Nor for those of a project or a token that was removed while the service was asked.
    const project = this.#projects.all().find(({ id }) => id === ref.projectId);
    if (project?.serviceAccounts.every(({ id }) => id !== ref.serviceAccountId) ?? true) return;
    if (await this.#canAsk(ref, true)) await this.#store.set(key, last);
  }

  /** Whether the account has a token, or `lent` and the user has agreed to another one's. */
  async #canAsk(ref: AccountRef, lent: boolean): Promise<boolean> {
    if ((await this.#projects.storedToken(ref.projectId, ref.serviceAccountId)) !== undefined) return true;
    return lent && (await this.lenders.find(ref))?.isAllowed === true;
  }

  #set(key: string, ref: AccountRef, state: KeysState): void {
    this.#states.set(key, state);
    this.#changed.fire(ref);
  }

  /** An account behind another address is another account. */
  #key({ projectId, serviceAccountId }: AccountRef): string {
    return JSON.stringify(this.#projects.tokenOwner(projectId, serviceAccountId));
  }
}
