import type { Project, ServiceAccount } from '../../../model/projects/project.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { noAccount } from '../../../model/projects/projectErrors.ts';
import { UserError } from '../../../model/text/userError.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import type { Choice, InputOptions, PickOptions, Prompts } from '../../prompts/prompts.ts';
import type { AccountRef } from '../keys/keyLists.ts';
import type { Projects } from '../projects.ts';

/** What a command was given, as far as it was. */
export interface Given {
  projectId?: string | undefined;
  serviceAccountId?: string | undefined;
}

/** Asks for what a command of the Projects view lacks. Declining any question throws a DeclinedError. */
export class ProjectQuestions {
  readonly #projects: Projects;
  readonly #prompts: Prompts;

  constructor(projects: Projects, prompts: Prompts) {
    this.#projects = projects;
    this.#prompts = prompts;
  }

  /**
   * The project that was given, the only one there is, or the one that the user picks.
   * @param options.kept of those in the settings: the sandbox's is there only while it runs, and cannot be changed
   */
  async project(given: string | undefined, title: string, { kept = false } = {}): Promise<Project> {
    if (given !== undefined) return this.#projects.get(given);
    const all = this.#projects.all().filter(({ id }) => !kept || !this.#projects.isTransient(id));
    const [only] = all;
    if (only === undefined) {
      throw new UserError(t('There is no project yet. Add one first (Runhook: Add Project…).'));
    }
    if (all.length === 1) return only;
    return this.pick(
      title,
      all.map((project) => ({
        label: plainText(project.name ?? project.id),
        description: plainText(project.id),
        value: project,
      })),
    );
  }

  /** Like `project`, for a service account. */
  async account(given: Given | undefined, title: string): Promise<AccountRef & { account: ServiceAccount }> {
    const project = await this.project(given?.projectId, title);
    const account = await this.#accountOf(project, given?.serviceAccountId, title);
    return { projectId: project.id, serviceAccountId: account.id, account };
  }

  async input(options: InputOptions): Promise<string> {
    const answer = await this.#prompts.input(options);
    if (answer === undefined) throw new DeclinedError(t('Cancelled.'));
    return answer.trim();
  }

  async pick<T>(title: string, choices: readonly Choice<T>[], options: PickOptions<T> = {}): Promise<T> {
    // Wrapped, so that undefined can be chosen too.
    const wrapped = choices.map((choice) => ({ ...choice, value: { value: choice.value } }));
    const active = wrapped.find(({ value }) => 'active' in options && value.value === options.active)?.value;
    const answer = await this.#prompts.pick(title, wrapped, {
      ...(active !== undefined && { active }),
      ...(options.step !== undefined && { step: options.step }),
    });
    if (answer === undefined) throw new DeclinedError(t('Cancelled.'));
    return answer.value;
  }

  async confirm(question: string, detail: string, goOn: string): Promise<void> {
    if (!(await this.#prompts.confirm(question, detail, goOn))) throw new DeclinedError(t('Cancelled.'));
  }

  async #accountOf(project: Project, given: string | undefined, title: string): Promise<ServiceAccount> {
    if (given !== undefined) return this.#projects.serviceAccount(project.id, given);
    const { serviceAccounts } = project;
    const [only] = serviceAccounts;
    if (only === undefined) throw noAccount(project.id);
    if (serviceAccounts.length === 1) return only;
    return this.pick(
      title,
      serviceAccounts.map((account) => ({
        label: plainText(account.name ?? account.id),
        description: plainText(account.environment ?? ''),
        value: account,
      })),
    );
  }
}
