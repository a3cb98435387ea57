import * as vscode from 'vscode';
import { noAddress, originOf, type Service } from '../../model/service/endpoints.ts';
import type { App, Project, ServiceAccount } from '../../model/projects/project.ts';
import {
  addChild,
  addProject,
  changeEntry,
  type EntryRef,
  hasEntry,
  type EntryValues,
  removeEntry,
  setOwnService,
} from '../../model/projects/projectList.ts';
import {
  noAccount,
  noToken,
  unknownAccount,
  unknownApp,
  unknownProject,
  cannotChange,
} from '../../model/projects/projectErrors.ts';
import { cleanToken } from '../../model/keys/token.ts';
import { t } from '../../model/text/l10n.ts';
import { onConfigChange } from '../config.ts';
import { DeclinedError } from '../prompts/declinedError.ts';
import { settingIds } from '../ids.ts';
import { type Log, logError } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { type AppCall, confirmProduction } from './questions/confirmProduction.ts';
import { type TransientProject, TransientProjects } from './transientProjects.ts';
import type { ProjectPlace, ProjectSettings } from './projectSettings.ts';
import { tokenQuestion } from './tokens/tokenInput.ts';
import type { TokenOwner, Tokens } from './tokens/tokens.ts';

/** What a call to the service needs. */
export interface Access {
  service: Service;
  serviceAccount: ServiceAccount;
  token: string;
}

/** The projects and their service accounts. Decides whose token a call uses and where the call goes. */
export class Projects implements vscode.Disposable {
  readonly #settings: ProjectSettings;
  readonly #tokens: Tokens;
  /** The active account of each project. Each workspace has its own. */
  readonly #workspaceState: vscode.Memento;
  readonly #prompts: Prompts;
  readonly #log: Log;
  readonly #transient: TransientProjects;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(
    settings: ProjectSettings,
    tokens: Tokens,
    workspaceState: vscode.Memento,
    prompts: Prompts,
    log: Log,
  ) {
    this.#settings = settings;
    this.#tokens = tokens;
    this.#workspaceState = workspaceState;
    this.#prompts = prompts;
    this.#log = log;
    const changed = () => this.#changed.fire();
    this.#transient = new TransientProjects(tokens, log, changed);
    this.#subscriptions = vscode.Disposable.from(
      tokens.onDidChange(changed),
      onConfigChange([settingIds.projects, settingIds.baseUrl, settingIds.proxyUrl], changed),
    );
  }

  /** The projects in the settings, then the transient ones. If both have the same id, the settings win. */
  all(): readonly Project[] {
    const listed = this.#settings.listed;
    if (this.#transient.all.size === 0) return listed.all;
    const transient = [...this.#transient.all.values()].map(({ project }) => project);
    return [...listed.all, ...transient.filter(({ id }) => !listed.byId.has(id))];
  }

  /** How much of the lists of the workspace is not read, because they are too long. */
  get leftOut(): number {
    return this.#settings.listed.leftOut;
  }

  /** The project with this id; undefined if there is none. */
  find(projectId: string): Project | undefined {
    return this.#settings.listed.byId.get(projectId) ?? this.#transient.all.get(projectId)?.project;
  }

  /** Whether the workspace has its own project list. A new project can then go there or into the user settings. */
  get areShared(): boolean {
    return this.#settings.listed.areShared;
  }

  /** Whether a project is kept in the settings of the workspace or a folder, which others may share. */
  isShared(projectId: string): boolean {
    return !this.isTransient(projectId) && this.#settings.placeOf({ projectId }) !== 'user';
  }

  /** @throws UserError if the project does not exist */
  get(projectId: string): Project {
    const project = this.find(projectId);
    if (project === undefined) throw unknownProject(projectId);
    return project;
  }

  /** @throws UserError if the project, or the service account in it, does not exist */
  serviceAccount(projectId: string, serviceAccountId: string): ServiceAccount {
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
    return this.transient(projectId)?.service ?? this.#settings.service(projectId);
  }

  /** The project's own addresses in the user settings; undefined if it has none, or is transient. */
  ownService(projectId: string): Service | undefined {
    return this.isTransient(projectId) ? undefined : this.#settings.listed.ownService(projectId);
  }

  /** Addresses that the workspace sets for a project and that are ignored: nothing is sent to them. */
  ignoredAddresses(projectId: string): string[] {
    return this.isTransient(projectId) ? [] : this.#settings.ignoredAddresses(projectId);
  }

  /** A transient project, which cannot be changed or removed; undefined if the settings also have its id. */
  transient(projectId: string): TransientProject | undefined {
    return this.#settings.listed.byId.has(projectId) ? undefined : this.#transient.all.get(projectId);
  }

  isTransient(projectId: string): boolean {
    return this.transient(projectId) !== undefined;
  }

  /** The account whose token app calls use: the chosen one, else the first. */
  activeAccount(projectId: string): ServiceAccount | undefined {
    const { serviceAccounts } = this.get(projectId);
    const chosen = this.#workspaceState.get<string>(activeKey(projectId));
    const found = chosen === undefined ? undefined : serviceAccounts.find(({ id }) => id === chosen);
    return found ?? serviceAccounts[0];
  }

  async useAccount(projectId: string, serviceAccountId: string): Promise<void> {
    this.serviceAccount(projectId, serviceAccountId);
    await this.#workspaceState.update(activeKey(projectId), serviceAccountId);
    this.#changed.fire();
  }

  /** @param place by default the workspace if it has a list, else the user settings */
  async add(project: Project, place: ProjectPlace = this.areShared ? 'workspace' : 'user'): Promise<void> {
    this.refuseTransient(project.id);
    await this.#settings.change(place, (list) => addProject(list, project));
  }

  /** Removes a project, a service account or an app from all lists, and deletes its tokens. */
  async remove(ref: EntryRef): Promise<void> {
    const { projectId, serviceAccountId, appId } = ref;
    do {
      await this.#edit(ref, (list) => removeEntry(list, ref));
    } while (this.#settings.listed.all.some((project) => hasEntry(project, ref)));
    const isProject = serviceAccountId === undefined;
    if (appId !== undefined) return;
    await this.#tokens.deleteAll(
      (owner) => owner.projectId === projectId && (isProject || owner.serviceAccountId === serviceAccountId),
    );
    if (isProject) await this.#workspaceState.update(activeKey(projectId), undefined);
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

  /** Adds a transient project and stores its tokens. Disposing the result removes both. */
  addTransient(transient: TransientProject): vscode.Disposable {
    return this.#transient.addTransient(transient);
  }

  /** Resolves once all pending token changes of transient projects are in the store. */
  stored(): Promise<void> {
    return this.#transient.stored();
  }

  /** The owner under which the token of a service account is kept. */
  tokenOwner(projectId: string, serviceAccountId: string, service = this.service(projectId)): TokenOwner {
    // guard S49: A token is kept, and sent, by the origin that it was stored for.
    return { origin: originOf(service.baseUrl), projectId, serviceAccountId };
  }

  /** The stored token of a service account; undefined if there is none. */
  async storedToken(
    projectId: string,
    serviceAccountId: string,
    service = this.service(projectId),
  ): Promise<string | undefined> {
    const owner = this.tokenOwner(projectId, serviceAccountId, service);
    await this.stored();
    return this.#tokens.get(owner);
  }

  /** Whether a token is stored for a service account. Does not read it: that asks the window, for each of them. */
  async hasToken(
    projectId: string,
    serviceAccountId: string,
    service = this.service(projectId),
  ): Promise<boolean> {
    const owner = this.tokenOwner(projectId, serviceAccountId, service);
    await this.stored();
    return (await this.#tokens.state(owner)).kind === 'stored';
  }

  /**
   * The current service of a project, and the account's token for exactly that address.
   * @throws UserError if no token is stored, or no address is set
   */
  async accountAccess(projectId: string, account: ServiceAccount): Promise<Access> {
    const service = this.service(projectId);
    if (service.baseUrl === '') throw noAddress();
    const token = await this.storedToken(projectId, account.id, service);
    if (token !== undefined) return { service, serviceAccount: account, token };
    throw noToken(projectId, account);
  }

  /** @param service the one that the token was asked for; by default that of the project now */
  async setToken(projectId: string, accountId: string, token: string, service?: Service): Promise<void> {
    this.serviceAccount(projectId, accountId);
    await this.stored();
    await this.#tokens.set(this.tokenOwner(projectId, accountId, service), token);
  }

  /**
   * Notes what the service has said of the token of an account: the view tells it. Never rejects.
   * @param access of the call
   * @param refused the status of a refusal; undefined if the token was accepted
   */
  async noteAnswer(projectId: string, access: Access, refused: number | undefined): Promise<void> {
    const { service, serviceAccount, token } = access;
    const owner = this.tokenOwner(projectId, serviceAccount.id, service);
    await this.#tokens
      .noteAnswer(owner, token, refused)
      .catch((error: unknown) => logError(this.#log, error));
  }

  async deleteToken(projectId: string, serviceAccountId: string): Promise<void> {
    this.serviceAccount(projectId, serviceAccountId);
    await this.stored();
    await this.#tokens.delete(this.tokenOwner(projectId, serviceAccountId));
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
      await confirmProduction(this.#prompts, this.get(projectId), account, call);
    }
    // Read after the prompt, which may have been open for a long time, and only once: the token is for this address.
    const service = this.#serviceWithAddress(projectId);
    const stored = await this.storedToken(projectId, account.id, service);
    if (stored !== undefined) return { service, serviceAccount: account, token: stored };
    const typed = await this.#prompts.input(tokenQuestion(projectId, account, t('Set Token')));
    if (typed === undefined) {
      throw new DeclinedError(
        t('No token is stored for the service account {0}.', account.name ?? account.id),
      );
    }
    const token = cleanToken(typed);
    await this.#tokens.set(this.tokenOwner(projectId, account.id, service), token);
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

  /** @throws UserError if no address is set */
  #serviceWithAddress(projectId: string): Service {
    const service = this.service(projectId);
    if (service.baseUrl === '' && service.proxyUrl === '') throw noAddress();
    return service;
  }

  /** @throws UserError if the project does not exist or is transient */
  async #edit(
    ref: EntryRef,
    edit: (list: readonly unknown[]) => unknown[],
    place: ProjectPlace = this.#settings.placeOf(ref),
  ): Promise<void> {
    this.get(ref.projectId);
    this.refuseTransient(ref.projectId);
    await this.#settings.change(place, edit);
  }
}

function activeKey(projectId: string): string {
  return `activeAccount:${projectId}`;
}
