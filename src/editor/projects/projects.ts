import * as vscode from 'vscode';
import type { Service } from '../../model/endpoints.ts';
import type { App, Project, ServiceAccount } from '../../model/project.ts';
import { unknownProject } from '../../model/projectList.ts';
import { cleanToken } from '../../model/token.ts';
import { UserError } from '../../model/userError.ts';
import { config, onConfigChange } from '../config.ts';
import { settingIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Prompts } from '../prompts.ts';
import { DeclinedError } from '../declinedError.ts';
import { isProduction } from './environment.ts';
import type { ProjectSettings } from './projectSettings.ts';
import { originOf, type TokenOwner, type Tokens } from './tokens.ts';

/** A project that is not of the settings: the sandbox's, while it runs. */
export interface MountedProject {
  project: Project;
  service: Service;
  serviceAccountId: string;
  token: string;
  /** Shown beside its name: where it runs. */
  label?: string;
  /** What is to be said of its apps, by their id: plain text. */
  appNotes?: ReadonlyMap<string, string>;
}

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
  readonly #log: Log;
  readonly #mounted = new Map<string, MountedProject>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;
  #storing: Promise<void> = Promise.resolve();
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
    this.#subscriptions = vscode.Disposable.from(
      tokens.onDidChange(changed),
      onConfigChange([settingIds.projects, settingIds.baseUrl, settingIds.proxyUrl], changed),
    );
  }

  /** Those of the settings, then mounted ones. */
  all(): Project[] {
    const mounted = [...this.#mounted.values()].map((one) => one.project);
    const ids = new Set(mounted.map((project) => project.id));
    return [...this.#settings.all().filter((project) => !ids.has(project.id)), ...mounted];
  }

  /** @throws UserError where there is no such project */
  get(projectId: string): Project {
    const project = this.all().find((one) => one.id === projectId);
    if (project === undefined) throw unknownProject(projectId, vscode.l10n.t);
    return project;
  }

  /** @throws UserError where there is no such project, or no such service account in it */
  serviceAccount(projectId: string, serviceAccountId: string): ServiceAccount {
    const account = this.get(projectId).serviceAccounts.find((one) => one.id === serviceAccountId);
    if (account !== undefined) return account;
    throw new UserError(
      vscode.l10n.t('The project {0} has no service account {1}.', projectId, serviceAccountId),
    );
  }

  /** A mounted project's own service, else that of the settings. Its addresses may be empty. */
  service(projectId: string): Service {
    return this.#mounted.get(projectId)?.service ?? config.service();
  }

  /** What a mounted project's label says; undefined for a project of the settings. */
  mountedLabel(projectId: string): string | undefined {
    const mounted = this.#mounted.get(projectId);
    return mounted && (mounted.label ?? '');
  }

  /** What is to be said of an app of a mounted project. */
  appNote(projectId: string, appId: string): string | undefined {
    return this.#mounted.get(projectId)?.appNotes?.get(appId);
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

  async add(project: Project): Promise<void> {
    this.#refuseMounted(project.id);
    await this.#settings.add(project);
  }

  /** Removes a project, and its tokens with it. */
  async remove(projectId: string): Promise<void> {
    this.get(projectId);
    this.#refuseMounted(projectId);
    await this.#settings.remove(projectId);
    await this.#tokens.deleteAll((owner) => owner.projectId === projectId);
    await this.#workspaceState.update(activeKey(projectId), undefined);
  }

  async addServiceAccount(projectId: string, account: ServiceAccount): Promise<void> {
    this.get(projectId);
    this.#refuseMounted(projectId);
    await this.#settings.addServiceAccount(projectId, account);
  }

  async addApp(projectId: string, app: App): Promise<void> {
    this.get(projectId);
    this.#refuseMounted(projectId);
    await this.#settings.addApp(projectId, app);
  }

  /** Puts a project into the tree until it is disposed of, and its token into the store under its own origin. */
  mount(mounted: MountedProject): vscode.Disposable {
    const { project, serviceAccountId, token } = mounted;
    const before = this.#mounted.get(project.id);
    this.#mounted.set(project.id, mounted);
    const owner = this.tokenOwner(project.id, serviceAccountId);
    // Mounted anew with the same token: what the user made of it meanwhile stays.
    if (before?.token !== token) this.#store(() => this.#tokens.set(owner, token));
    this.#changed.fire();
    return new vscode.Disposable(() => {
      if (this.#mounted.get(project.id) !== mounted) return;
      this.#mounted.delete(project.id);
      this.#store(() => this.#tokens.delete(owner));
      this.#changed.fire();
    });
  }

  /** Resolves once the tokens of mounted projects are in the store, or out of it. */
  stored(): Promise<void> {
    return this.#storing;
  }

  /** Under what the token of a service account is kept. */
  tokenOwner(projectId: string, serviceAccountId: string): TokenOwner {
    return { origin: originOf(this.service(projectId).baseUrl), projectId, serviceAccountId };
  }

  /** The stored token of a service account; undefined where there is none. */
  async storedToken(projectId: string, serviceAccountId: string): Promise<string | undefined> {
    await this.#storing;
    return this.#tokens.get(this.tokenOwner(projectId, serviceAccountId));
  }

  /** The stored token of a service account. @throws UserError where there is none, or nowhere to send it */
  async requireToken(projectId: string, account: ServiceAccount): Promise<string> {
    if (this.service(projectId).baseUrl === '') throw noAddress();
    const token = await this.storedToken(projectId, account.id);
    if (token !== undefined) return token;
    throw new UserError(
      vscode.l10n.t(
        'No token is stored for the service account {0}. Set one first (Runhook: Set Token…).',
        account.name ?? account.id,
      ),
    );
  }

  /** Stores a token under the service that the project uses now. */
  async setToken(projectId: string, serviceAccountId: string, token: string): Promise<void> {
    this.serviceAccount(projectId, serviceAccountId);
    await this.#storing;
    await this.#tokens.set(this.tokenOwner(projectId, serviceAccountId), token);
  }

  async deleteToken(projectId: string, serviceAccountId: string): Promise<void> {
    this.serviceAccount(projectId, serviceAccountId);
    await this.#storing;
    await this.#tokens.delete(this.tokenOwner(projectId, serviceAccountId));
  }

  /**
   * What an app call goes out with: the active account's token. Asks for a token that is missing, and asks
   * first where the account's environment is `prod`.
   * @param call.action what is about to happen, as a question's subject: "Run hello"
   * @throws UserError where the project has no service account, DeclinedError where the user declined
   */
  async access(projectId: string, call: { action: string; confirmed?: boolean }): Promise<Access> {
    const serviceAccount = this.activeAccount(projectId);
    const service = this.service(projectId);
    if (service.baseUrl === '' && service.proxyUrl === '') throw noAddress();
    if (serviceAccount === undefined) {
      throw new UserError(
        vscode.l10n.t(
          'The project {0} has no service account. Add one first (Runhook: Add Service Account…).',
          projectId,
        ),
      );
    }
    if (call.confirmed !== true) await this.#confirm(projectId, serviceAccount, call.action);
    const token = await this.token(projectId, serviceAccount);
    return { service, serviceAccount, token };
  }

  /**
   * The token of a service account; asks for one where none is stored, and stores it.
   * @throws DeclinedError where the user gives none
   */
  async token(projectId: string, account: ServiceAccount): Promise<string> {
    const stored = await this.storedToken(projectId, account.id);
    if (stored !== undefined) return stored;
    const typed = await this.#prompts.input({
      title: vscode.l10n.t('Set Token'),
      prompt: vscode.l10n.t('Token of the service account {0}', account.name ?? account.id),
      password: true,
    });
    if (typed === undefined || typed.trim() === '') {
      throw new DeclinedError(
        vscode.l10n.t('No token is stored for the service account {0}.', account.name ?? account.id),
      );
    }
    const token = cleanToken(typed, vscode.l10n.t);
    await this.#tokens.set(this.tokenOwner(projectId, account.id), token);
    return token;
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  async #confirm(projectId: string, account: ServiceAccount, action: string): Promise<void> {
    if (!isProduction(account.environment)) return;
    const { name } = this.get(projectId);
    const agreed = await this.#prompts.confirm(
      vscode.l10n.t('{0} in {1}?', action, account.environment ?? ''),
      vscode.l10n.t('Project {0}, service account {1}.', name ?? projectId, account.name ?? account.id),
      vscode.l10n.t('Go On'),
    );
    if (!agreed) throw new DeclinedError(vscode.l10n.t('{0} was not confirmed.', action));
  }

  #refuseMounted(projectId: string): void {
    if (!this.#mounted.has(projectId)) return;
    throw new UserError(
      vscode.l10n.t('The project {0} is there only while it runs, and cannot be changed.', projectId),
    );
  }

  #store(change: () => Promise<void>): void {
    this.#storing = this.#storing.then(change).catch((error: unknown) => {
      this.#log.error(error instanceof Error ? error : String(error));
    });
  }
}

function activeKey(projectId: string): string {
  return `activeAccount:${projectId}`;
}

function noAddress(): UserError {
  return new UserError(
    vscode.l10n.t(
      'No address of the service is set. Set "runhook.baseUrl" and "runhook.proxyUrl", or try the sandbox (Runhook: Start Sandbox).',
    ),
  );
}
