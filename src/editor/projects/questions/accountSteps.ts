import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import type { Project, ServiceAccount } from '../../../model/projects/project.ts';
import { cleanToken } from '../../../model/keys/token.ts';
import type { Choice } from '../../prompts/prompts.ts';
import { multiStep, type RowQuestion } from '../../prompts/multiStep.ts';
import { AccountDraft } from './accountDraft.ts';
import { type ChosenEnvironment, environmentChoices, otherEnvironment } from './environmentChoices.ts';
import { NewProjectSteps } from './newProjectSteps.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from '../projects.ts';
import { tokenInput } from '../tokens/tokenInput.ts';

export interface AccountStepsOptions {
  title: string;
  /** The project, where it is not to be asked for. */
  projectId?: string | undefined;
  /** Whether it is a new service account that is asked for. */
  isNew: boolean;
  /** Whether the token is asked for, asked for and not insisted on, or not asked for. */
  token: 'required' | 'optional' | 'given';
}

export interface AccountAnswers {
  projectId: string;
  account: ServiceAccount;
  /** Empty where it was not asked for, or the user goes without. */
  token: string;
}

/**
 * Asks in steps for project, service account, environment and token; project and account may be new. Each step
 * leads back to the one before, where the answer still stands. Nothing is changed before the last answer.
 */
export class AccountSteps {
  readonly #projects: Projects;
  readonly #questions: ProjectQuestions;
  readonly #options: AccountStepsOptions;
  readonly #newProject: NewProjectSteps;
  readonly #draft: AccountDraft;

  constructor(projects: Projects, questions: ProjectQuestions, options: AccountStepsOptions) {
    this.#projects = projects;
    this.#questions = questions;
    this.#options = options;
    this.#newProject = new NewProjectSteps(projects, questions, options.title);
    this.#draft = new AccountDraft(projects);
    this.#draft.useProject(options.projectId ?? this.#choosable()[0]?.id);
    if (options.isNew) this.#draft.useAccount(undefined);
  }

  /** @throws DeclinedError */
  async ask(): Promise<AccountAnswers> {
    await multiStep([
      ...this.#projectRow(),
      ...this.#accountRow(),
      ...this.#environmentRow(),
      ...(this.#options.token === 'given' ? [] : [this.#tokenQuestion()]),
    ]);
    const kept = await this.#draft.keep(async () => this.#newProject.project());
    const { text } = this.#draft.token;
    return { ...kept, token: text === '' ? '' : cleanToken(text) };
  }

  #projectRow(): RowQuestion[] {
    const { title, projectId, isNew } = this.#options;
    const draft = this.#draft;
    return [
      {
        step: 'project',
        // For a new account of the only project there is nothing to choose.
        applies: () => projectId === undefined && this.#choosable().length > (isNew ? 1 : 0),
        ask: async (step) => {
          const choices = [
            ...this.#choosable().map((one) => choiceOf(one, one.id)),
            { label: t('Add Project…'), value: undefined },
          ];
          const options = { step, active: draft.project?.id };
          draft.useProject(await this.#questions.pick(t('{0}: Project', title), choices, options));
          if (isNew) draft.useAccount(undefined);
        },
      },
      ...this.#newProject.row('project', () => draft.project === undefined),
    ];
  }

  #accountRow(): RowQuestion[] {
    const { title, isNew } = this.#options;
    const draft = this.#draft;
    const applies = () => draft.known === undefined;
    const add = { label: t('Add Service Account…'), value: undefined };
    return [
      {
        step: 'account',
        applies: () => !isNew && (draft.project?.serviceAccounts.length ?? 0) > 0,
        ask: async (step) => {
          const known = (draft.project?.serviceAccounts ?? []).map((one) => choiceOf(one, one.environment));
          const choices = draft.isTransient ? known : [...known, add];
          const options = { step, active: draft.known?.id };
          draft.useAccount(await this.#questions.pick(t('{0}: Service Account', title), choices, options));
        },
      },
      {
        step: 'account',
        applies,
        ask: async (step) =>
          draft.id.ask(this.#questions, {
            ...{ title, step, prompt: t('Id of the service account') },
            validate: (text) => this.#idProblem(text.trim()),
          }),
      },
      {
        step: 'account',
        applies,
        ask: async (step) =>
          draft.name.ask(this.#questions, { title, step, prompt: t('Name to show; empty for the id') }),
      },
    ];
  }

  #environmentRow(): RowQuestion[] {
    const { title } = this.#options;
    const draft = this.#draft;
    return [
      {
        step: 'environment',
        applies: () => !draft.isTransient,
        ask: async (step) => {
          const choices = environmentChoices(draft.known?.environment);
          draft.environment = await this.#questions.pick<ChosenEnvironment>(
            t('{0}: Environment', title),
            choices,
            { step, active: draft.environment },
          );
        },
      },
      {
        step: 'environment',
        applies: () => draft.environment === otherEnvironment,
        ask: async (step) =>
          draft.environmentName.ask(this.#questions, { title, step, prompt: t('Name of the environment') }),
      },
    ];
  }

  #tokenQuestion(): RowQuestion {
    const { title, token } = this.#options;
    return {
      step: 'token',
      ask: async (step) => {
        const { id, name } = this.#draft.account();
        const shown = plainText(name ?? id);
        const mayBeEmpty = token === 'optional';
        const prompt = mayBeEmpty
          ? t('Token of the service account {0}; empty to set it later', shown)
          : t('Token of the service account {0}', shown);
        const input = tokenInput(this.#draft.project?.id ?? this.#newProject.projectId, mayBeEmpty);
        // What is odd about a token takes the place of the prompt: the title says whose it is then, too.
        await this.#draft.token.ask(this.#questions, { title: `${title}: ${shown}`, step, prompt, ...input });
      },
    };
  }

  /** A transient project takes no new account. */
  #choosable(): Project[] {
    const all = this.#projects.all();
    return this.#options.isNew ? all.filter(({ id }) => !this.#projects.isTransient(id)) : all;
  }

  #idProblem(id: string): string | undefined {
    const { project } = this.#draft;
    if (id === '') return t('Enter an id.');
    return project?.serviceAccounts.some((account) => account.id === id) === true
      ? t('The project {0} has {1} already.', project.id, id)
      : undefined;
  }
}

function choiceOf({ id, name }: { id: string; name?: string }, description = ''): Choice<string> {
  return { label: plainText(name ?? id), description: plainText(description), value: id };
}
