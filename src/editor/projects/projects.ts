import * as vscode from 'vscode';
import { Turns } from '../../shared/async/turns.ts';
import { cleanToken } from '../../service/keys/token.ts';
import type { LeftOut, ListedProjects } from '../../service/projects/listedProjects.ts';
import type { AccountRef, App, Project, ServiceAccount } from '../../service/projects/project.ts';
import {
  cannotChange,
  noAccount,
  noToken,
  unknownAccount,
  unknownApp,
  unknownProject,
} from '../../service/projects/projectErrors.ts';
import {
  addChild,
  addProject,
  changeEntry,
  type EntryRef,
  type EntryValues,
  hasEntry,
  removeEntry,
  setOwnService,
} from '../../service/projects/projectList.ts';
import { noAddress, originOf, type Service } from '../../service/endpoints.ts';
import { t } from '../../shared/text/l10n.ts';
import { config, onConfigChange, type SharedPlace } from '../kit/config.ts';
import { settingIds } from '../kit/ids.ts';
import { type Log, logError } from '../kit/log.ts';
import { DeclinedError, type InputOptions, type Prompts } from '../kit/prompts.ts';
import { changeProjects, type ProjectPlace } from './projectSettings.ts';
import { type AppCall, confirmProduction, tokenQuestion } from './questions.ts';
import type { TokenOwner, Tokens } from './tokens.ts';
import type { TokenState } from './tokenState.ts';

/** What a call to the service needs. */
export interface Access {
  service: Service;
  serviceAccount: ServiceAccount;
  token: string;
}

/** A project that is not in the settings: the sandbox's project, while the sandbox runs. */
export interface TransientProject {
  project: Project;
  service: Service;
  /** By service account id. */
  tokens: ReadonlyMap<string, string>;
  /** It is back after a reload: its tokens are in the store, as the user left them. */
  isBack?: boolean;
  /** Where the project runs. */
  place?: string;
  /** How it misbehaves; shown with its name. */
  faults?: readonly string[];
  /** Notes about its apps, by app id: plain text. */
  appNotes?: ReadonlyMap<string, string>;
}

/** What the projects need. */
export interface ProjectsParts {
  tokens: Tokens;
  /** Keeps the active account of each project. Each workspace has its own. */
  workspaceState: vscode.Memento;
  prompts: Prompts;
  log: Log;
}

/** `accepted`: the service had rejected it before. `answered`: a call with it has succeeded as before. */
type TokenChange = 'set' | 'deleted' | 'accepted' | 'answered';

/** The projects and their service accounts. Decides whose token a call uses and where the call goes. */
export class Projects implements vscode.Disposable {
  readonly #parts: ProjectsParts;
  /** By project id. The token store holds the tokens of each, under its own origin, until it is removed. */
  readonly #transient = new Map<string, TransientProject>();
  /** The changes of tokens of transient projects. */
  readonly #storing = new Turns();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  readonly onDidChange = this.#changed.event;
  #tokenCheck: (service: Service, ref: AccountRef) => InputOptions['check'] = () => undefined;
  readonly #tokenChanged = new vscode.EventEmitter<AccountRef & { change: TokenChange }>();
  /** A token was set or deleted in this window, or the service takes one again: what it said before is past. */
  readonly onDidChangeToken = this.#tokenChanged.event;

  constructor(parts: ProjectsParts) {
    this.#parts = parts;
    const changed = () => this.#changed.fire();
    this.#subscriptions = vscode.Disposable.from(
      this.#tokenChanged,
      parts.tokens.onDidChange(changed),
      parts.tokens.onDidDelete(({ projectId, serviceAccountId }) =>
        this.#tokenChanged.fire({ projectId, serviceAccountId, change: 'deleted' }),
      ),
      onConfigChange([settingIds.projects, settingIds.baseUrl, settingIds.proxyUrl], changed),
    );
  }

  /** @param tokenCheck for the box that takes a missing token; given later, since it lists the keys of these projects */
  checkTokens(tokenCheck: (service: Service, ref: AccountRef) => NonNullable<InputOptions['check']>): void {
    this.#tokenCheck = tokenCheck;
  }

  /** The projects in the settings. The same object until a setting changes. */
  get #listed(): ListedProjects<SharedPlace> {
    return config.listedProjects();
  }

  /** The projects in the settings, then the transient ones. If both have the same id, the settings win. */
  all(): readonly Project[] {
    const listed = this.#listed;
    if (this.#transient.size === 0) return listed.all;
    const transient = [...this.#transient.values()].map(({ project }) => project);
    return [...listed.all, ...transient.filter(({ id }) => !listed.byId.has(id))];
  }

  /** The lists in the settings that are not read whole. */
  get leftOut(): readonly LeftOut<SharedPlace>[] {
    return this.#listed.leftOut;
  }

  /** The project with this id; undefined if there is none. */
  find(projectId: string): Project | undefined {
    return this.#listed.byId.get(projectId) ?? this.#transient.get(projectId)?.project;
  }

  /** Whether the workspace has its own project list. A new project can then go there or into the user settings. */
  get areShared(): boolean {
    return this.#listed.areShared;
  }

  /** Whether a project is kept in the settings of the workspace or a folder, which others may share. */
  isShared(projectId: string): boolean {
    return !this.isTransient(projectId) && this.#listed.placeOf({ projectId }) !== 'user';
  }

  /** @throws UserError if the project does not exist */
  get(projectId: string): Project {
    const project = this.find(projectId);
    if (project === undefined) throw unknownProject(projectId);
    return project;
  }

  /** @throws UserError if the project, or the service account in it, does not exist */
  serviceAccount({ projectId, serviceAccountId }: AccountRef): ServiceAccount {
    const account = this.get(projectId).serviceAccounts.find((one) => one.id === serviceAccountId);
    if (account !== undefined) return account;
    throw unknownAccount(projectId, serviceAccountId);
  }

  /** @throws UserError if the project, or the app in it, does not exist */
  app(projectId: string, appId: string): App {
    const app = this.get(projectId).apps.find((one) => one.id === appId);
    if (app !== undefined) return app;
    throw unknownApp(projectId, appId);
  }

  /** The addresses of a project's calls, which may be empty. Nothing else decides where the calls go. */
  service(projectId: string): Service {
    return this.transient(projectId)?.service ?? this.ownService(projectId) ?? config.defaultService();
  }

  /** The project's own addresses in the user settings; undefined if it has none, or is transient. */
  ownService(projectId: string): Service | undefined {
    return this.isTransient(projectId) ? undefined : this.#listed.ownService(projectId);
  }

  /** Addresses that the workspace sets for a project without addresses of the user's, and that nothing is sent to. */
  ignoredAddresses(projectId: string): string[] {
    if (this.isTransient(projectId) || this.ownService(projectId) !== undefined) return [];
    const { baseUrl, proxyUrl } = config.defaultService();
    const known = new Set(['', baseUrl, proxyUrl]);
    return this.#listed.sharedAddresses(projectId).filter((one) => !known.has(one));
  }

  /** A transient project, which cannot be changed or removed; undefined if the settings also have its id. */
  transient(projectId: string): TransientProject | undefined {
    return this.#listed.byId.has(projectId) ? undefined : this.#transient.get(projectId);
  }

  isTransient(projectId: string): boolean {
    return this.transient(projectId) !== undefined;
  }

  /** The account whose token app calls use: the chosen one, else the first. */
  activeAccount(projectId: string): ServiceAccount | undefined {
    const { serviceAccounts } = this.get(projectId);
    const chosen = this.#parts.workspaceState.get<string>(activeKey(projectId));
    const found = chosen === undefined ? undefined : serviceAccounts.find(({ id }) => id === chosen);
    return found ?? serviceAccounts[0];
  }

  async useAccount(ref: AccountRef): Promise<void> {
    this.serviceAccount(ref);
    await this.#parts.workspaceState.update(activeKey(ref.projectId), ref.serviceAccountId);
    this.#changed.fire();
  }

  /** @param place by default the workspace if it has a list, else the user settings */
  async add(project: Project, place: ProjectPlace = this.areShared ? 'workspace' : 'user'): Promise<void> {
    this.refuseTransient(project.id);
    await changeProjects(place, (list) => addProject(list, project));
  }

  /** Removes a project, a service account or an app from all lists, and deletes its tokens. */
  async remove(ref: EntryRef): Promise<void> {
    const { projectId, serviceAccountId, appId } = ref;
    do {
      await this.#edit(ref, (list) => removeEntry(list, ref));
    } while (this.#listed.all.some((project) => hasEntry(project, ref)));
    const isProject = serviceAccountId === undefined;
    if (appId !== undefined) return;
    await this.#deleteTokens({ projectId, ...(!isProject && { serviceAccountId }) });
    if (isProject) await this.#parts.workspaceState.update(activeKey(projectId), undefined);
  }

  /** Changes values of a project, a service account or an app; undefined removes a value. */
  async change(ref: EntryRef, values: EntryValues): Promise<void> {
    await this.#edit(ref, (list) => changeEntry(list, ref, values));
  }

  /** Adds a service account or an app. */
  async addChild(
    projectId: string,
    field: 'serviceAccounts' | 'apps',
    child: ServiceAccount | App,
  ): Promise<void> {
    await this.#edit({ projectId }, (list) => addChild(list, projectId, field, child));
  }

  /** Changes the addresses of a project. Its tokens stay with the address that they were set for. */
  async setService(projectId: string, service: Service): Promise<void> {
    await this.#edit({ projectId }, (list) => setOwnService(list, this.get(projectId), service), 'user');
  }

  /** Adds or replaces a transient project and stores its tokens. Disposing the result removes both, unless replaced. */
  addTransient(transient: TransientProject): vscode.Disposable {
    const { project, service, tokens, isBack = false } = transient;
    const owner = (serviceAccountId: string) =>
      this.tokenOwner({ projectId: project.id, serviceAccountId }, service);
    const previous = this.#transient.get(project.id);
    this.#transient.set(project.id, transient);
    for (const [account, token] of tokens) {
      if (previous === undefined && isBack) continue;
      // If a project is added again with the same token, keep what the user has since done to the stored token.
      if (previous?.tokens.get(account) === token) continue;
      this.#store(() => this.#parts.tokens.set(owner(account), token));
      this.#tokenChanged.fire({ projectId: project.id, serviceAccountId: account, change: 'set' });
    }
    this.#changed.fire();
    return new vscode.Disposable(() => {
      if (this.#transient.get(project.id) !== transient) return;
      this.#transient.delete(project.id);
      for (const account of tokens.keys()) this.#store(() => this.#parts.tokens.delete(owner(account)));
      this.#changed.fire();
    });
  }

  /** Resolves once all pending token changes of transient projects are in the store. */
  stored(): Promise<void> {
    return this.#storing.next(() => Promise.resolve());
  }

  /** The owner under which the token of a service account is kept. */
  tokenOwner({ projectId, serviceAccountId }: AccountRef, service = this.service(projectId)): TokenOwner {
    // guard S49: A token is kept, and sent, by the origin that it was stored for.
    return { origin: originOf(service.baseUrl), projectId, serviceAccountId };
  }

  /** The stored token of a service account; undefined if there is none. */
  async storedToken(ref: AccountRef, service?: Service): Promise<string | undefined> {
    const owner = this.tokenOwner(ref, service);
    await this.stored();
    return this.#parts.tokens.get(owner);
  }

  /** Whether a token is stored for a service account. Does not read it: that asks the window, for each of them. */
  async hasToken(ref: AccountRef, service?: Service): Promise<boolean> {
    return (await this.#tokenState(ref, service)).kind === 'stored';
  }

  /** The origin of another address that a service account has a token for, where it has none for that of now. */
  async tokenElsewhere(ref: AccountRef, service?: Service): Promise<string | undefined> {
    const state = await this.#tokenState(ref, service);
    return state.kind === 'none' ? state.elsewhere : undefined;
  }

  /**
   * The current service of a project, and the account's token for exactly that address.
   * @throws UserError if no token is stored, or no address is set
   */
  async accountAccess(projectId: string, account: ServiceAccount): Promise<Access> {
    const service = this.service(projectId);
    if (service.baseUrl === '') throw noAddress(projectId, service);
    const ref = { projectId, serviceAccountId: account.id };
    const token = await this.storedToken(ref, service);
    if (token !== undefined) return { service, serviceAccount: account, token };
    throw noToken(projectId, account, await this.tokenElsewhere(ref, service));
  }

  /** @param service the one that the token was asked for; by default that of the project now */
  async setToken(ref: AccountRef, token: string, service?: Service): Promise<void> {
    this.serviceAccount(ref);
    await this.stored();
    await this.#parts.tokens.set(this.tokenOwner(ref, service), token);
    this.#tokenChanged.fire({ ...ref, change: 'set' });
  }

  /**
   * Notes what the service has said of the token of an account: the view tells it. Never rejects.
   * @param access of the call
   * @param refused the status of a refusal; undefined if the token was accepted
   */
  async noteAnswer(projectId: string, access: Access, refused: number | undefined): Promise<void> {
    const { service, serviceAccount, token } = access;
    const ref = { projectId, serviceAccountId: serviceAccount.id };
    try {
      const isNews = await this.#parts.tokens.noteAnswer(this.tokenOwner(ref, service), token, refused);
      if (refused === undefined)
        this.#tokenChanged.fire({ ...ref, change: isNews ? 'accepted' : 'answered' });
    } catch (error) {
      logError(this.#parts.log, error);
    }
  }

  /** Deletes the token, and those that were set for other addresses: nobody would look for one of these. */
  async deleteToken(ref: AccountRef): Promise<void> {
    this.serviceAccount(ref);
    await this.stored();
    await this.#deleteTokens(ref);
  }

  async #deleteTokens({ projectId, serviceAccountId }: Partial<AccountRef>): Promise<void> {
    const isAny = serviceAccountId === undefined;
    await this.#parts.tokens.deleteAll(
      (owner) => owner.projectId === projectId && (isAny || owner.serviceAccountId === serviceAccountId),
    );
  }

  /**
   * What an app call needs, with the token of the active account. First asks for confirmation if the account's
   * environment is `prod`, then asks for the token if it is missing.
   * @throws DeclinedError, or UserError if no address is set or the project has no service account
   */
  async access(projectId: string, call: AppCall & { confirmed?: boolean }): Promise<Access> {
    const account = this.activeAccount(projectId);
    this.#serviceWithAddress(projectId);
    if (account === undefined) throw noAccount(projectId);
    if (call.confirmed !== true) {
      // guard S106: Under `prod`, Runhook asks by itself.
      await confirmProduction(this.#parts.prompts, this.get(projectId), account, call);
    }
    // Read after the prompt, which may have been open for a long time, and only once: the token is for this address.
    const service = this.#serviceWithAddress(projectId);
    const ref = { projectId, serviceAccountId: account.id };
    const stored = await this.storedToken(ref, service);
    if (stored !== undefined) return { service, serviceAccount: account, token: stored };
    call.asks?.();
    const elsewhere = await this.tokenElsewhere(ref, service);
    const question = tokenQuestion(this, projectId, account, t('Set Token'), { elsewhere });
    const check = this.#tokenCheck(service, ref);
    const typed = await this.#parts.prompts.input({ ...question, ...(check && { check }) });
    if (typed === undefined) {
      throw new DeclinedError(
        t('No token is stored for the service account {0}.', account.name ?? account.id),
      );
    }
    const token = cleanToken(typed);
    await this.setToken(ref, token, service);
    return { service, serviceAccount: account, token };
  }

  /** @throws UserError if the project is transient: no list in the settings holds it */
  refuseTransient(projectId: string): void {
    if (this.isTransient(projectId)) throw cannotChange(projectId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  async #tokenState(ref: AccountRef, service?: Service): Promise<TokenState> {
    const owner = this.tokenOwner(ref, service);
    await this.stored();
    return this.#parts.tokens.state(owner);
  }

  #store(change: () => Promise<void>): void {
    this.#storing.next(change).catch((error: unknown) => logError(this.#parts.log, error));
  }

  /** @throws UserError if no address is set */
  #serviceWithAddress(projectId: string): Service {
    const service = this.service(projectId);
    if (service.baseUrl === '' && service.proxyUrl === '') throw noAddress(projectId);
    return service;
  }

  /** @throws UserError if the project does not exist or is transient */
  async #edit(
    ref: EntryRef,
    edit: (list: readonly unknown[]) => unknown[],
    place: ProjectPlace = this.#listed.placeOf(ref),
  ): Promise<void> {
    this.get(ref.projectId);
    this.refuseTransient(ref.projectId);
    await changeProjects(place, edit);
  }
}

function activeKey(projectId: string): string {
  return `activeAccount:${projectId}`;
}
