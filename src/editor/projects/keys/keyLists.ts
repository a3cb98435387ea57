import * as vscode from 'vscode';
import { ServiceError } from '../../../client/errors.ts';
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
import { accountKey, isOfAccount, type KnownKeys, type KnownKeysStore } from './knownKeysStore.ts';
import type { Access, Projects } from '../projects.ts';

/** What is known of the keys of a service account. `last` is the list that was read last. */
export type KeysState =
  | { kind: 'unknown' }
  /** `since` is the start of the request, in milliseconds since 1970. */
  | { kind: 'loading'; since: number; list: Promise<KeyList>; cancel: () => void; last?: KnownKeys }
  | { kind: 'known'; last: KnownKeys }
  | { kind: 'failed'; error: unknown; last?: KnownKeys };

/** Loads and remembers the keys of each service account, with one request per account at a time. */
export class KeyLists implements vscode.Disposable {
  readonly #projects: Projects;
  readonly #transport: Transport;
  readonly #userAgent: string;
  readonly #store: KnownKeysStore;
  readonly lenders: Lenders;
  readonly #log: Log;
  readonly #states = new Map<string, KeysState>();
  readonly #changed = new vscode.EventEmitter<AccountRef | undefined>();
  /** Fires with the one account whose state changed, or with undefined if any state may have changed. */
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

  /** The keys of the last known list, which may be from before a restart. */
  knownKeys(ref: AccountRef): readonly Key[] {
    const list = this.#known(this.#key(ref)).last?.list;
    return list?.kind === 'keys' ? list.keys : [];
  }

  /**
   * Requests the keys of an account from the service, or joins the request in flight. If the account has no
   * token, that of another account is sent, provided that the user has agreed to it.
   * @throws UserError if there is no such account or no token, and what the ManagementClient throws
   */
  async load(ref: AccountRef): Promise<KeyList> {
    const account = this.#projects.serviceAccount(ref.projectId, ref.serviceAccountId);
    const key = this.#key(ref);
    const current = this.state(ref);
    if (current.kind === 'loading') return current.list;
    const canceller = new AbortController();
    const list = this.#load(ref, account, canceller.signal);
    const cancel = () => canceller.abort(new DeclinedError(t('Cancelled.')));
    const known = this.#known(key);
    const loading: KeysState = { kind: 'loading', since: Date.now(), list, cancel, ...known };
    this.#set(key, ref, loading);
    // Drops the result of a request whose state was dropped in the meantime.
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

  /** Requests the keys of an account with a token that may not be stored yet. @returns the response of the service */
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
   * Requests the keys of every account whose token is stored. A failure is shown below its account, and does
   * not reject here.
   * @param options.lent includes accounts whose keys are read with another account's token
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

  /** Drops the state of one account, for instance because its token has changed. */
  forgetOne(ref: AccountRef): void {
    this.cancel(ref);
    this.#states.delete(this.#key(ref));
    this.#changed.fire(ref);
  }

  /** Drops the state of one account at every address, and also what is stored of it for the next start. */
  async erase(ref: AccountRef): Promise<void> {
    for (const [key, state] of this.#states) {
      if (!isOfAccount(key, ref)) continue;
      this.#states.delete(key);
      if (state.kind === 'loading') state.cancel();
    }
    this.#changed.fire(ref);
    await this.#store.delete(ref);
  }

  /** Drops the state of every account. The keys are loaded again when next needed. */
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
    const access = await this.#access(ref, account);
    const note = async (refused?: number) => this.#projects.noteAnswer(ref.projectId, access, refused);
    let answer: unknown;
    try {
      answer = await this.ask(access.service, access.token, ref, signal);
    } catch (error) {
      // Another account's token may be good for all but these keys.
      const isOwn = access.serviceAccount.id === account.id;
      const isRefused = error instanceof ServiceError && (isOwn ? error.refusesToken : error.status === 401);
      if (isRefused) await note(error.status);
      throw error;
    }
    await note();
    const list = readKeys(answer);
    if (list.kind === 'unrecognised') this.#log.warn(`The keys of ${account.id} have an unknown shape.`);
    return list;
  }

  /** Uses the account's own token, else that of the account that the user has agreed to. */
  async #access(ref: AccountRef, account: ServiceAccount): Promise<Access> {
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
    // The sandbox has another address the next time, so its stored keys would never be read.
    if (this.#projects.isTransient(ref.projectId)) return;
    // Skips a project, an account or a token that was removed while the request was in flight.
    const project = this.#projects.all().find(({ id }) => id === ref.projectId);
    if (project?.serviceAccounts.every(({ id }) => id !== ref.serviceAccountId) ?? true) return;
    if (await this.#canAsk(ref, true)) await this.#store.set(key, last);
  }

  /** Whether the account has a token or, with `lent`, the user has agreed to another account's token. */
  async #canAsk(ref: AccountRef, lent: boolean): Promise<boolean> {
    if ((await this.#projects.storedToken(ref.projectId, ref.serviceAccountId)) !== undefined) return true;
    return lent && (await this.lenders.find(ref))?.isAllowed === true;
  }

  #set(key: string, ref: AccountRef, state: KeysState): void {
    this.#states.set(key, state);
    this.#changed.fire(ref);
  }

  #key({ projectId, serviceAccountId }: AccountRef): string {
    return accountKey(this.#projects.tokenOwner(projectId, serviceAccountId));
  }
}
