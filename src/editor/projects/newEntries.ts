import * as vscode from 'vscode';
import type { Service } from '../../service/endpoints.ts';
import { refusal } from '../../shared/http/failureReason.ts';
import { type App, appName, type Project, type ServiceAccount } from '../../service/projects/project.ts';
import { typedServiceAddress } from '../../service/typedAddress.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { cleanToken } from '../../service/keys/token.ts';
import { config, writeSetting } from '../kit/config.ts';
import { settingIds } from '../kit/ids.ts';
import type { Choice, InputOptions, Question } from '../kit/prompts.ts';
import { apiKeysLink } from './apiKeysPage.ts';
import type { Projects } from './projects.ts';
import type { ProjectPlace } from './projectSettings.ts';
import type { TokenCheck } from './tokenCheck.ts';
import { another, chosenEnvironment, environmentQuestions, tokenQuestion } from './questions.ts';
import { accountChoice, projectChoice, type ProjectQuestions } from './projectQuestions.ts';
import { t } from '../../shared/text/l10n.ts';

/** The initial answers about a project and a service account. Empty if not asked, or left out. */
const initialAnswers = {
  ...{ projectId: '', baseUrl: '', proxyUrl: '', newProjectId: '', projectName: '', place: 'user' },
  ...{ accountId: '', newAccountId: '', accountName: '', environment: 'dev', environmentName: '', token: '' },
};
type Answers = typeof initialAnswers;

/** An account that exists or was just added, and the token to store for it. */
export interface AnsweredAccount {
  projectId: string;
  account: ServiceAccount;
  /** Empty if the user gave none. */
  token: string;
  /** The service that the token was asked for. */
  service: Service;
}

/**
 * Asks step by step for new entries: a project, a service account, its token, an app. Nothing is changed before the
 * last answer.
 */
export class NewEntries {
  readonly #projects: Projects;
  readonly #questions: ProjectQuestions;
  readonly #check: TokenCheck;

  constructor(projects: Projects, questions: ProjectQuestions, check: TokenCheck) {
    this.#projects = projects;
    this.#questions = questions;
    this.#check = check;
  }

  /** Asks for a new project and adds it to the settings. @throws DeclinedError */
  async project(title: string): Promise<Project> {
    const answers = await this.#questions.steps(this.#projectQuestions(title), initialAnswers);
    return this.#addProject(answers, []);
  }

  /**
   * Asks for a service account to set a token for, or, with `isNew`, for a new one. A new account, and its project if
   * that is new, is added to the settings. The token is not stored yet. With `isNew` it may be left empty.
   * @throws DeclinedError
   */
  async account(
    title: string,
    options: { projectId: string | undefined; isNew: boolean; token: string | undefined },
  ): Promise<AnsweredAccount> {
    const { isNew } = options;
    // A transient project takes no new account.
    const offered = this.#projects.all().filter(({ id }) => !isNew || !this.#projects.isTransient(id));
    const given = options.projectId === undefined ? offered[0] : this.#projects.get(options.projectId);
    const projectId = given?.id ?? another;
    const known = (answers: Answers) => (isNew ? undefined : this.#knownAccount(answers));
    let asked: Service | undefined;
    const answers = await this.#questions.steps<Answers>(
      [
        {
          field: 'projectId',
          applies: () => options.projectId === undefined && offered.length > 1,
          ask: () => ({
            title: t('{0}: Project', title),
            choices: [...offered.map(projectChoice).map(byId), { label: t('Add Project…'), value: another }],
          }),
        },
        ...when((given) => this.#knownProject(given) === undefined, this.#projectQuestions(title)),
        {
          field: 'accountId',
          applies: (given) => !isNew && this.#accounts(given).length > 1,
          ask: (given) => ({ title: t('{0}: Service Account', title), choices: this.#accountChoices(given) }),
        },
        ...when((given) => known(given) === undefined, this.#accountQuestions(title)),
        {
          field: 'token',
          applies: () => options.token === undefined,
          ask: (given) => {
            asked = this.#service(given);
            return this.#tokenQuestion(title, given, known(given) ?? newAccount(given), isNew, asked);
          },
        },
      ],
      { ...initialAnswers, projectId },
    );
    const account = known(answers) ?? newAccount(answers);
    const project = this.#knownProject(answers);
    if (project === undefined) await this.#addProject(answers, [account]);
    else if (known(answers) === undefined)
      await this.#projects.addChild(project.id, 'serviceAccounts', account);
    const token = options.token ?? answers.token;
    const addedTo = project?.id ?? answers.newProjectId;
    return {
      projectId: addedTo,
      service: asked ?? this.#projects.service(addedTo),
      account,
      token: token === '' ? '' : cleanToken(token),
    };
  }

  /** Asks for a new app. @throws DeclinedError */
  async app(title: string, projectId: string): Promise<App> {
    const { apps } = this.#projects.get(projectId);
    const { id, name } = await this.#questions.steps(
      [
        {
          field: 'id',
          ask: () => ({
            ...{ title, prompt: t('Id of the app') },
            validate: (text) => appNameProblem(text.trim(), projectId, apps),
          }),
        },
        {
          field: 'name',
          ask: ({ id }) => ({
            ...{ title, prompt: t('Name of the app in its address; leave it empty to use the id') },
            validate: (text) => appNameProblem(text.trim() || id, projectId, apps),
          }),
        },
      ],
      { id: '', name: '' },
    );
    return { id, ...(name !== '' && { name }) };
  }

  /** Asks for a project: the addresses of the service if not set, where to keep it, its id and its name. */
  #projectQuestions(title: string): Question<Answers>[] {
    const ask = (options: Omit<InputOptions, 'title'>) => () => ({ title, ...options });
    const { baseUrl, proxyUrl } = config.defaultService();
    return [
      {
        field: 'baseUrl',
        applies: () => baseUrl === '',
        ask: ask({ prompt: t('Address of the management API'), ...addressInput }),
      },
      {
        field: 'proxyUrl',
        applies: () => proxyUrl === '',
        ask: ask({ prompt: t('Address of the run proxy'), ...addressInput }),
      },
      {
        field: 'place',
        applies: () => this.#projects.areShared,
        ask: () => ({ title: t('{0}: Where to keep it', title), choices: places() }),
      },
      {
        field: 'newProjectId',
        ask: ask({
          prompt: t('Id of the project, as the dashboard of the service shows it'),
          validate: (text) =>
            idProblem(text.trim(), this.#projects.all(), (id) => t('The project {0} already exists.', id)),
          ...apiKeysLink(),
        }),
      },
      { field: 'projectName', ask: ask({ prompt: t('Name to show; leave it empty to use the id') }) },
    ];
  }

  #accountQuestions(title: string): Question<Answers>[] {
    return [
      {
        field: 'newAccountId',
        ask: (answers) => ({
          ...{ title, prompt: t('Id of the service account') },
          validate: (text) =>
            idProblem(text.trim(), this.#accounts(answers), (id) =>
              t('The project {0} already has {1}.', answers.projectId, id),
            ),
        }),
      },
      {
        field: 'accountName',
        ask: () => ({ title, prompt: t('Name to show; leave it empty to use the id') }),
      },
      ...environmentQuestions<Answers>(t('{0}: Environment', title)),
    ];
  }

  #tokenQuestion(
    title: string,
    answers: Answers,
    account: ServiceAccount,
    mayBeEmpty: boolean,
    service: Service,
  ): InputOptions {
    const projectId = this.#knownProject(answers)?.id ?? answers.newProjectId;
    // A warning about the token replaces the prompt, so the title also says whose token it is.
    const named = `${title}: ${plainText(account.name ?? account.id)}`;
    const check = this.#check.of(service, { projectId, serviceAccountId: account.id });
    return { ...tokenQuestion(this.#projects, projectId, account, named, { mayBeEmpty }), check };
  }

  /** The service of the project. A new one uses the address that was just typed, if there was none before. */
  #service(answers: Answers): Service {
    const project = this.#knownProject(answers);
    if (project === undefined && answers.baseUrl !== '') return answers;
    return this.#projects.service(project?.id ?? answers.newProjectId);
  }

  #knownProject({ projectId }: Answers): Project | undefined {
    return projectId === another ? undefined : this.#projects.get(projectId);
  }

  #accounts(answers: Answers): readonly ServiceAccount[] {
    return this.#knownProject(answers)?.serviceAccounts ?? [];
  }

  /** The picked account, or the first as long as none is picked. Undefined for a new one. */
  #knownAccount(answers: Answers): ServiceAccount | undefined {
    const accounts = this.#accounts(answers);
    if (accounts.length > 1 && answers.accountId === another) return undefined;
    return accounts.find(({ id }) => id === answers.accountId) ?? accounts[0];
  }

  #accountChoices(answers: Answers): Choice<string>[] {
    const known = this.#accounts(answers).map(accountChoice).map(byId);
    const add = { label: t('Add Service Account…'), value: another };
    return this.#projects.isTransient(answers.projectId) ? known : [...known, add];
  }

  /** Also saves typed addresses in the user settings: the first project needs to know where the service is. */
  async #addProject(answers: Answers, serviceAccounts: ServiceAccount[]): Promise<Project> {
    const { newProjectId: id, projectName: name } = answers;
    for (const setting of [settingIds.baseUrl, settingIds.proxyUrl] as const) {
      const address = answers[setting];
      if (address !== '') await writeSetting(setting, address, vscode.ConfigurationTarget.Global);
    }
    const project: Project = { id, ...(name !== '' && { name }), serviceAccounts, apps: [] };
    await this.#projects.add(project, this.#projects.areShared ? (answers.place as ProjectPlace) : 'user');
    return project;
  }
}

/** The questions, each asked only if `holds` is true as well. */
function when(holds: (answers: Answers) => boolean, questions: Question<Answers>[]): Question<Answers>[] {
  return questions.map((one) => ({
    ...one,
    applies: (answers) => holds(answers) && (one.applies?.(answers) ?? true),
  }));
}

function places(): (Choice<string> & { value: ProjectPlace })[] {
  return [
    {
      label: t('Your user settings'),
      description: t('only you see it, in every window'),
      value: 'user',
    },
    {
      label: t('The settings of this workspace'),
      description: t('shared with everyone who opens it'),
      value: 'workspace',
    },
  ];
}

function newAccount(answers: Answers): ServiceAccount {
  const { newAccountId: id, accountName: name } = answers;
  const environment = chosenEnvironment(answers);
  return { id, ...(name !== '' && { name }), ...(environment !== undefined && { environment }) };
}

function byId({ value, ...choice }: Choice<{ id: string }>): Choice<string> {
  return { ...choice, value: value.id };
}

function idProblem(
  id: string,
  taken: readonly { id: string }[] = [],
  isTaken = (_id: string) => '',
): string | undefined {
  if (id === '') return t('Enter an id.');
  // The address of a page of the dashboard, which has the id in it.
  if (id.includes('://')) return t('Enter the id alone, not an address.');
  return taken.some((one) => one.id === id) ? isTaken(id) : undefined;
}

/** Why an app cannot have this name, which is one part of the address of its runs; undefined if it can. */
export function appNameProblem(name: string, projectId: string, others: readonly App[]): string | undefined {
  if (/[/\\?#\p{Cc}]/u.test(name) && !name.includes('://')) {
    return t('The name of an app is one part of an address: it cannot contain "/", "\\", "?" or "#".');
  }
  const taken = others.map((app) => ({ id: appName(app) }));
  return idProblem(name, taken, (id) => t('The project {0} already has {1}.', projectId, id));
}

/** The input options for the address of a service. */
export const addressInput = {
  placeHolder: 'https://',
  validate: (text: string) =>
    text.trim() === ''
      ? t('Enter an address that begins with https:// or http://.')
      : refusal(() => typedServiceAddress(text)),
  becomes: typedServiceAddress,
};
