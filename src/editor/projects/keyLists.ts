import * as vscode from 'vscode';
import { ServiceError, UnreachableError } from '../../service/client/errors.ts';
import { ManagementClient } from '../../service/client/managementClient.ts';
import type { Transport } from '../../service/client/transport.ts';
import { inBatches } from '../../shared/async/inBatches.ts';
import type { Service } from '../../service/endpoints.ts';
import type { Key } from '../../service/keys/key.ts';
import { type KeyList, readKeys } from '../../service/keys/keys.ts';
import type { AccountRef, ServiceAccount } from '../../service/projects/project.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { mendedFor } from '../kit/defaultRemedies.ts';
import { viewIds } from '../kit/ids.ts';
import { DeclinedError } from '../kit/prompts.ts';
import { type Log, logError } from '../kit/log.ts';
import { accountKey, accountOf, isOfAccount, type KnownKeys, type KnownKeysStore } from './knownKeys.ts';
import type { Projects } from './projects.ts';

/** What is known of the keys of a service account. `last` is the list of keys that was read last. */
export type KeysState =
  | { kind: 'unknown' }
  /** `since` is the start of the request, in milliseconds since 1970. */
  | { kind: 'loading'; since: number; list: Promise<KeyList>; cancel: () => void; last?: KnownKeys }
  | { kind: 'known'; last: KnownKeys }
  /** What the service sent is no list of keys. `raw` is masked, and undefined for an empty response. */
  | { kind: 'unrecognised'; raw: unknown; last?: KnownKeys }
  | FailedKeys;

export type FailedKeys = { kind: 'failed'; error: unknown; last?: KnownKeys };

/** What the lists of keys need. */
export interface KeyListsParts {
  projects: Projects;
  transport: Transport;
  userAgent: string;
  store: KnownKeysStore;
  log: Log;
}

/** Loads and remembers the keys of each service account, with one request per account at a time. */
export class KeyLists implements vscode.Disposable {
  readonly #parts: KeyListsParts;
  readonly #states = new Map<string, KeysState>();
  readonly #changed = new vscode.EventEmitter<AccountRef | undefined>();
  /** Fires with the one account whose state changed, or with undefined if any state may have changed. */
  readonly onDidChange = this.#changed.event;

  readonly #subscriptions: vscode.Disposable;

  constructor(parts: KeyListsParts) {
    this.#parts = parts;
    this.#subscriptions = vscode.Disposable.from(
      parts.projects.onDidChange(() => this.#dropElsewhere()),
      parts.projects.onDidChangeToken(({ change, ...ref }) => {
        // With its tokens the sandbox makes its keys anew.
        if (change === 'deleted' || (change === 'set' && parts.projects.isTransient(ref.projectId)))
          this.erase(ref).catch((error: unknown) => logError(parts.log, error));
        else if (change === 'set' || this.#isOver(ref, change === 'accepted')) this.#forgetOne(ref);
      }),
    );
  }

  /** Drops what was said at an address that its account no longer has: set again, it may say otherwise. */
  #dropElsewhere(): void {
    for (const key of this.#states.keys()) if (key !== this.#key(accountOf(key))) this.#states.delete(key);
  }

  /** Whether a call that has succeeded disproves what the last list failed with. */
  #isOver(ref: AccountRef, wasRejected: boolean): boolean {
    const state = this.state(ref);
    return state.kind === 'failed' && (wasRejected || state.error instanceof UnreachableError);
  }

  state(ref: AccountRef): KeysState {
    return this.#states.get(this.#key(ref)) ?? { kind: 'unknown' };
  }

  /** The keys of the last known list, which may be from before a restart. */
  knownKeys(ref: AccountRef): readonly Key[] {
    return this.#known(this.#key(ref)).last?.list.keys ?? [];
  }

  /**
   * Requests the keys of an account from the service, or joins the request in flight.
   * @throws UserError if there is no such account or no token, and what the ManagementClient throws
   */
  async load(ref: AccountRef): Promise<KeyList> {
    const account = this.#parts.projects.serviceAccount(ref);
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
      this.#remember(key, ref, state.last).catch((error: unknown) => this.#parts.log.warn(String(error)));
    };
    const settled = list.then(
      (read) =>
        settle(
          read.kind === 'keys'
            ? { kind: 'known', last: { list: read, at: Date.now() } }
            : { kind: 'unrecognised', raw: read.raw, ...known },
        ),
      (error: unknown) => {
        if (!(error instanceof UserError)) logError(this.#parts.log, error);
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
  async ask(service: Service, token: string, ref: AccountRef, signal: AbortSignal): Promise<unknown> {
    const { projects, transport, userAgent } = this.#parts;
    const client = new ManagementClient({ transport, service, token, userAgent });
    try {
      return await client.listKeys(ref.projectId, ref.serviceAccountId, signal);
    } catch (error) {
      throw mendedFor(error, ref, projects);
    }
  }

  /**
   * Requests the keys of every account whose token is stored. A failure is shown below its account, and does
   * not reject here.
   * @param unknown only of those of which nothing is known yet
   */
  async loadAll(unknown = false): Promise<void> {
    const all = this.#parts.projects
      .all()
      .flatMap(({ id, serviceAccounts }) =>
        serviceAccounts.map((account) => ({ projectId: id, serviceAccountId: account.id })),
      )
      .filter((ref) => !unknown || this.state(ref).kind === 'unknown');
    const loads: Promise<unknown>[] = [];
    const debug = (error: unknown) => this.#parts.log.debug(String(error));
    await inBatches(all, async (ref) => {
      const hasToken = await this.#hasToken(ref).catch(debug);
      if (hasToken === true) loads.push(this.load(ref).catch(debug));
    });
    await Promise.all(loads);
  }

  #forgetOne(ref: AccountRef): void {
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
    await this.#parts.store.delete(ref);
  }

  /** Drops the state of every account. The keys are loaded again when next needed. */
  forget(): void {
    const states = [...this.#states.values()];
    this.#states.clear();
    for (const state of states) if (state.kind === 'loading') state.cancel();
    this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.forget();
    this.#changed.dispose();
  }

  async #load(ref: AccountRef, account: ServiceAccount, signal: AbortSignal): Promise<KeyList> {
    const access = await this.#parts.projects.accountAccess(ref.projectId, account);
    const note = async (refused?: number) => this.#parts.projects.noteAnswer(ref.projectId, access, refused);
    let answer: unknown;
    try {
      answer = await this.ask(access.service, access.token, ref, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.refusesToken) await note(error.status);
      throw error;
    }
    await note();
    const list = readKeys(answer);
    if (list.kind === 'unrecognised')
      this.#parts.log.warn(`The keys of ${account.id} have an unknown shape.`);
    return list;
  }

  #known(key: string): { last?: KnownKeys } {
    const state = this.#states.get(key);
    if (state !== undefined && 'last' in state) return { last: state.last };
    const last = this.#parts.store.get(key);
    return last === undefined ? {} : { last };
  }

  async #remember(key: string, ref: AccountRef, last: KnownKeys): Promise<void> {
    // The sandbox has another address the next time, so its stored keys would never be read.
    if (this.#parts.projects.isTransient(ref.projectId)) return;
    // Skips a project, an account or a token that was removed while the request was in flight.
    const project = this.#parts.projects.find(ref.projectId);
    if (project?.serviceAccounts.every(({ id }) => id !== ref.serviceAccountId) ?? true) return;
    if (await this.#hasToken(ref)) await this.#parts.store.set(key, last);
  }

  #hasToken(ref: AccountRef): Promise<boolean> {
    return this.#parts.projects.hasToken(ref);
  }

  #set(key: string, ref: AccountRef, state: KeysState): void {
    this.#states.set(key, state);
    this.#changed.fire(ref);
  }

  #key(ref: AccountRef): string {
    return accountKey(this.#parts.projects.service(ref.projectId).baseUrl, ref);
  }
}
