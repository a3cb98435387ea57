import { cleanToken } from '../../service/keys/token.ts';
import {
  type AccountRef,
  type App,
  appName,
  type Project,
  type ServiceAccount,
} from '../../service/projects/project.ts';
import { noAccount, unknownApp } from '../../service/projects/projectErrors.ts';
import type { FormApp } from '../../pages/form/formProtocol.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import {
  type Choice,
  DeclinedError,
  type InputOptions,
  multiStep,
  type Prompts,
  type Question,
} from '../kit/prompts.ts';
import type { Projects } from './projects.ts';
import { tokenQuestion } from './questions.ts';
import { t } from '../../shared/text/l10n.ts';

/** The ids that a command was given. It asks for the others. */
export interface Given {
  projectId?: string | undefined;
  serviceAccountId?: string | undefined;
  appId?: string | undefined;
}

/**
 * Asks which project, service account, app or token a command is about. Does not ask for what the command was
 * given, nor for the only project or account. Declining any question throws a DeclinedError.
 */
export class ProjectQuestions {
  readonly #projects: Projects;
  readonly #prompts: Prompts;

  constructor(projects: Projects, prompts: Prompts) {
    this.#projects = projects;
    this.#prompts = prompts;
  }

  /** @param options.kept leaves out the sandbox's project, which is there only while it runs and cannot be changed */
  async project(given: string | undefined, title: string, { kept = false } = {}): Promise<Project> {
    if (given !== undefined) return this.#projects.get(given);
    const all = this.#projects.all().filter(({ id }) => !kept || !this.#projects.isTransient(id));
    const [only] = all;
    if (only === undefined) {
      throw new UserError(t('There is no project yet. Add one first (Runhook: Add Project…).'), {
        brief: t('There is no project yet.'),
        remedies: [{ kind: 'addProject' }, ...(kept ? [] : [{ kind: 'startSandbox' } as const])],
      });
    }
    return all.length === 1 ? only : this.pick(title, all.map(projectChoice));
  }

  async account(given: Given | undefined, title: string): Promise<AccountRef & { account: ServiceAccount }> {
    const { id: projectId, serviceAccounts } = await this.project(given?.projectId, title);
    const found = (account: ServiceAccount) => ({ projectId, serviceAccountId: account.id, account });
    const givenId = given?.serviceAccountId;
    if (givenId !== undefined)
      return found(this.#projects.serviceAccount({ projectId, serviceAccountId: givenId }));
    const [only] = serviceAccounts;
    if (only === undefined) throw noAccount(projectId);
    return found(
      serviceAccounts.length === 1 ? only : await this.pick(title, serviceAccounts.map(accountChoice)),
    );
  }

  /** An app of all projects, or of the given one. It asks where there are several. */
  async app(given: Given | undefined, title: string): Promise<FormApp> {
    const { projectId, appId } = given ?? {};
    const offered = projectId === undefined ? this.#projects.all() : [this.#projects.get(projectId)];
    const apps = offered.flatMap(appChoices);
    const fitting = apps.filter(({ value }) => appId === undefined || value.appId === appId);
    const [first] = fitting;
    if (first !== undefined && fitting.length === 1) return first.value;
    if (first !== undefined) return this.pick(title, fitting);
    if (appId === undefined) {
      throw new UserError(
        t('There is no app yet. Add one to a project (Runhook: Add App…), or start the sandbox.'),
        { remedies: [{ kind: offered.length === 0 ? 'addProject' : 'addApp' }, { kind: 'startSandbox' }] },
      );
    }
    throw projectId === undefined
      ? new UserError(t('No project has an app {0}.', appId))
      : unknownApp(projectId, appId);
  }

  /** Asks for the token of an existing account. */
  async token(
    projectId: string,
    account: ServiceAccount,
    title: string,
    check?: InputOptions['check'],
  ): Promise<string> {
    const elsewhere = await this.#projects.tokenElsewhere({ projectId, serviceAccountId: account.id });
    const options = tokenQuestion(this.#projects, projectId, account, title, { elsewhere });
    return cleanToken(await this.input({ ...options, ...(check && { check }) }));
  }

  async input(options: InputOptions): Promise<string> {
    return answered(await this.#prompts.input(options)).trim();
  }

  async pick<T extends object>(title: string, choices: readonly Choice<T>[]): Promise<T> {
    return answered(await this.#prompts.pick(title, choices));
  }

  async confirm(question: string, detail: string, verb: string): Promise<void> {
    if (!(await this.#prompts.confirm(question, detail, verb))) throw new DeclinedError(t('Cancelled.'));
  }

  async steps<Answers extends Record<keyof Answers, string>>(
    questions: readonly Question<Answers>[],
    answers: Answers,
  ): Promise<Answers> {
    return answered(await multiStep(this.#prompts, questions, answers));
  }
}

/** A project as a line of a pick. */
export function projectChoice(project: Project): Choice<Project> {
  return {
    label: plainText(project.name ?? project.id),
    description: plainText(project.id),
    value: project,
  };
}

/** A service account as a line of a pick. */
export function accountChoice(account: ServiceAccount): Choice<ServiceAccount> {
  return {
    label: plainText(account.name ?? account.id),
    description: plainText(account.environment ?? ''),
    value: account,
  };
}

function appChoices({ id, name, apps }: Project): Choice<FormApp>[] {
  return apps.map((app: App) => ({
    label: plainText(appName(app)),
    description: plainText(name ?? id),
    value: { projectId: id, appId: app.id },
  }));
}

function answered<T>(answer: T | undefined): T {
  if (answer === undefined) throw new DeclinedError(t('Cancelled.'));
  return answer;
}
