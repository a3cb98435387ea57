import type { Project, ServiceAccount } from '../../../model/projects/project.ts';
import type { ChosenEnvironment } from './environmentChoices.ts';
import type { Projects } from '../projects.ts';
import { TypedAnswer } from './typedAnswer.ts';

/**
 * A service account, as far as the steps have been answered: one that is there, or a new one. Nothing is changed
 * before `keep`.
 */
export class AccountDraft {
  readonly #projects: Projects;
  readonly id = new TypedAnswer();
  readonly name = new TypedAnswer();
  readonly environmentName = new TypedAnswer();
  readonly token = new TypedAnswer();
  environment: ChosenEnvironment;
  #project: Project | undefined;
  #known: ServiceAccount | undefined;

  constructor(projects: Projects) {
    this.#projects = projects;
  }

  /** Undefined for a new one. */
  get project(): Project | undefined {
    return this.#project;
  }

  /** The account that is there; undefined for a new one. */
  get known(): ServiceAccount | undefined {
    return this.#known;
  }

  /** Whether the project is there only while it runs: nothing can be added to it or changed in it. */
  get isTransient(): boolean {
    return this.#project !== undefined && this.#projects.isTransient(this.#project.id);
  }

  /** @param projectId undefined for a new project */
  useProject(projectId: string | undefined): void {
    if (projectId !== undefined && projectId === this.#project?.id) return;
    this.#project = projectId === undefined ? undefined : this.#projects.get(projectId);
    this.#use(this.#project?.serviceAccounts[0]);
  }

  /** @param accountId undefined for a new account */
  useAccount(accountId: string | undefined): void {
    if (accountId === this.#known?.id) return;
    this.#use(this.#project?.serviceAccounts.find(({ id }) => id === accountId));
  }

  account(): ServiceAccount {
    const { id, name = '' } = this.#known ?? { id: this.id.text, name: this.name.text };
    const chosen = typeof this.environment === 'symbol' ? this.environmentName.text : this.environment;
    return {
      id,
      ...(name !== '' && { name }),
      ...(chosen !== undefined && chosen !== '' && { environment: chosen }),
    };
  }

  /** Adds or changes what was answered. @param newProject what a new project is */
  async keep(newProject: () => Promise<Project>): Promise<{ projectId: string; account: ServiceAccount }> {
    const account = this.account();
    if (this.#project === undefined) {
      const project = await newProject();
      await this.#projects.add({ ...project, serviceAccounts: [account] });
      return { projectId: project.id, account };
    }
    const { id: projectId } = this.#project;
    if (this.#known === undefined) {
      await this.#projects.addServiceAccount(projectId, account);
    } else if (account.environment !== this.#known.environment) {
      await this.#projects.setEnvironment(projectId, account.id, account.environment);
    }
    return { projectId, account };
  }

  #use(known: ServiceAccount | undefined): void {
    this.#known = known;
    this.environment = known === undefined ? 'dev' : known.environment;
  }
}
