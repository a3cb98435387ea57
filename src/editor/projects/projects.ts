import * as vscode from 'vscode';
import { noAddress, type Service } from '../../model/service/endpoints.ts';
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
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts/prompts.ts';
import { type AppCall, confirmProduction } from './questions/confirmProduction.ts';
import { type TransientProject, TransientProjects } from './transientProjects.ts';
import type { ProjectPlace, ProjectSettings } from './projectSettings.ts';
import { tokenQuestion } from './tokens/tokenInput.ts';
import { originOf, type TokenOwner, type Tokens } from './tokens/tokens.ts';

/** What a call to the service goes out with. */
export interface Access {
  service: Service;
  serviceAccount: ServiceAccount;
  token: string;
}

/** The projects people work with, their service accounts and whose token a call uses. */
export class Projects implements vscode.Disposable {
  readonly #settings: ProjectSettings;
  readonly #tokens: Tokens;
  /** Which account is active in which project: each workspace has its own. */
  readonly #workspaceState: vscode.Memento;
  readonly #prompts: Prompts;
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
    const changed = () => this.#changed.fire();
    this.#transient = new TransientProjects(tokens, log, changed);
    this.#subscriptions = vscode.Disposable.from(
      tokens.onDidChange(changed),
      onConfigChange([settingIds.projects, settingIds.baseUrl, settingIds.proxyUrl], changed),
    );
  }

  /** Those of the settings, then transient ones. None of the user's own is hidden by one that comes and goes. */
  all(): Project[] {
    const kept = this.#settings.all();
    const transient = [...this.#transient.all.values()].map(({ project }) => project);
    return [...kept, ...transient.filter(({ id }) => !kept.some((one) => one.id === id))];
  }

  /** Whether the workspace has projects of its own, so that a new one can be kept in one of two places. */
  get areShared(): boolean {
    return this.#settings.areShared;
  }

  /** Whether a project is kept in the settings of the workspace, which others may share. */
  isShared(projectId: string): boolean {
    return !this.isTransient(projectId) && this.#settings.placeOf({ projectId }) !== 'user';
  }

  /** @throws UserError where there is no such project */
  get(projectId: string): Project {
    const project = this.all().find((one) => one.id === projectId);
    if (project === undefined) throw unknownProject(projectId);
    return project;
  }

  /** @throws UserError where there is no such project, or no such service account in it */
  serviceAccount(projectId: string, serviceAccountId: string): ServiceAccount {
    const account = this.get(projectId).serviceAccounts.find((one) => one.id === serviceAccountId);
    if (account !== undefined) return account;
    throw unknownAccount(projectId, serviceAccountId);
  }

  /** @throws UserError where there is no such project, or no such app in it */
  app(projectId: string, appId: string): App {
    const app = this.get(projectId).apps.find((one) => one.id === appId);
    if (app !== undefined) return app;
    throw unknownApp(projectId, appId);
  }

  /** The one place that says where the calls of a project go. The addresses may be empty. */
  service(projectId: string): Service {
    return this.transient(projectId)?.service ?? this.#settings.service(projectId);
  }

  /** The addresses that the user gives this project alone. */
  ownService(projectId: string): Service | undefined {
    return this.isTransient(projectId) ? undefined : this.#settings.ownService(projectId);
  }

  /** Addresses that the workspace names for a project and that are not its own: nothing goes there. */
  ignoredAddresses(projectId: string): string[] {
    return this.isTransient(projectId) ? [] : this.#settings.ignoredAddresses(projectId);
  }

  /** Undefined for a project of the settings: a transient one can be neither changed nor removed. */
  transient(projectId: string): TransientProject | undefined {
    const transient = this.#transient.all.get(projectId);
    const isKept = transient !== undefined && this.#settings.all().some(({ id }) => id === projectId);
    return isKept ? undefined : transient;
  }

  isTransient(projectId: string): boolean {
    return this.transient(projectId) !== undefined;
  }

  /** Whose token app calls use: the one that was chosen, else the first. */
  activeAccount(projectId: string): ServiceAccount | undefined {
    const { serviceAccounts } = this.get(projectId);
    const chosen = this.#workspaceState.get<string>(activeKey(projectId));
    return serviceAccounts.find((account) => account.id === chosen) ?? serviceAccounts[0];
  }

  async useAccount(projectId: string, serviceAccountId: string): Promise<void> {
    this.serviceAccount(projectId, serviceAccountId);
    await this.#workspaceState.update(activeKey(projectId), serviceAccountId);
    this.#changed.fire();
  }

  /** @param place where the workspace has a list it is there, unless this says otherwise */
  async add(project: Project, place: ProjectPlace = this.areShared ? 'workspace' : 'user'): Promise<void> {
    this.refuseTransient(project.id);
    await this.#settings.change(place, (list) => addProject(list, project));
  }

  /** Removes a project, a service account or an app from all lists, and the tokens that are of it. */
  async remove(ref: EntryRef): Promise<void> {
    const { projectId, serviceAccountId, appId } = ref;
    do {
      await this.#edit(ref, (list) => removeEntry(list, ref));
    } while (this.#settings.all().some((project) => hasEntry(project, ref)));
    const isProject = serviceAccountId === undefined;
    if (appId !== undefined) return;
    await this.#tokens.deleteAll(
      (owner) => owner.projectId === projectId && (isProject || owner.serviceAccountId === serviceAccountId),
    );
    if (isProject) await this.#workspaceState.update(activeKey(projectId), undefined);
  }

  /** Gives a project, a service account or an app other values; undefined takes one away. */
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

  /** Has the calls of a project go elsewhere. Its tokens stay with the address that they were set for. */
  async setService(projectId: string, service: Service): Promise<void> {
    await this.#edit({ projectId }, (list) => setOwnService(list, this.get(projectId), service), 'user');
  }

  /** Puts a project beside those of the settings until it is disposed of, and its tokens into the store. */
  addTransient(transient: TransientProject): vscode.Disposable {
    return this.#transient.addTransient(transient);
  }

  /** Resolves once the tokens of transient projects are in the store, or out of it. */
  stored(): Promise<void> {
    return this.#transient.stored();
  }

  /** Under what the token of a service account is kept. */
  tokenOwner(projectId: string, serviceAccountId: string, service = this.service(projectId)): TokenOwner {
    // guard: a token is kept, and sent, by the origin it was stored for
    return { origin: originOf(service.baseUrl), projectId, serviceAccountId };
  }

  /** The stored token of a service account; undefined where there is none. */
  async storedToken(
    projectId: string,
    serviceAccountId: string,
    service = this.service(projectId),
  ): Promise<string | undefined> {
    const owner = this.tokenOwner(projectId, serviceAccountId, service);
    await this.stored();
    return this.#tokens.get(owner);
  }

  /**
   * The service as it is set now, and the token that an account has for that address and for no other.
   * @throws UserError where no token is stored, or no address is set
   */
  async accountAccess(projectId: string, account: ServiceAccount): Promise<Omit<Access, 'serviceAccount'>> {
    const service = this.service(projectId);
    if (service.baseUrl === '') throw noAddress();
    const token = await this.storedToken(projectId, account.id, service);
    if (token !== undefined) return { service, token };
    throw noToken(projectId, account);
  }

  /** Stores a token under the service that the project uses now. */
  async setToken(projectId: string, serviceAccountId: string, token: string): Promise<void> {
    this.serviceAccount(projectId, serviceAccountId);
    await this.stored();
    await this.#tokens.set(this.tokenOwner(projectId, serviceAccountId), token);
  }

  async deleteToken(projectId: string, serviceAccountId: string): Promise<void> {
    this.serviceAccount(projectId, serviceAccountId);
    await this.stored();
    await this.#tokens.delete(this.tokenOwner(projectId, serviceAccountId));
  }

  /**
   * What an app call goes out with: the active account's token. Asks for a token that is missing, and asks
   * first where the account's environment is `prod`.
   * @throws DeclinedError, or UserError where no address is set or the project has no service account
   */
  async access(projectId: string, call: AppCall & { confirmed?: boolean }): Promise<Access> {
    const account = this.activeAccount(projectId);
    this.#addressed(projectId);
    if (account === undefined) throw noAccount(projectId);
    if (call.confirmed !== true) {
      // guard: Runhook asks by itself
      await confirmProduction(this.#prompts, this.get(projectId), account, call);
    }
    // Read after the question, which may have stood there for long, and only once: the token is of this address.
    const service = this.#addressed(projectId);
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

  /** @throws UserError where the project is transient: it stands in no list that could be changed */
  refuseTransient(projectId: string): void {
    if (this.isTransient(projectId)) throw cannotChange(projectId);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  /** @throws UserError where no address is set */
  #addressed(projectId: string): Service {
    const service = this.service(projectId);
    if (service.baseUrl === '' && service.proxyUrl === '') throw noAddress();
    return service;
  }

  /** @throws UserError where there is no such project, or one that is transient */
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
