import * as vscode from 'vscode';
import { parseHttpUrl } from '../../../model/service/endpoints.ts';
import type { Project } from '../../../model/projects/project.ts';
import { t } from '../../../model/text/l10n.ts';
import { config, writeSetting } from '../../config.ts';
import { settingIds } from '../../ids.ts';
import type { InputOptions } from '../../prompts/prompts.ts';
import type { RowQuestion } from '../../prompts/multiStep.ts';
import { apiKeysLink } from '../keys/apiKeysPage.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from '../projects.ts';
import { TypedAnswer } from './typedAnswer.ts';

/** The questions for a new project, and for the addresses of the service where none are set. */
export class NewProjectSteps {
  readonly #projects: Projects;
  readonly #questions: ProjectQuestions;
  readonly #title: string;
  readonly #baseUrl = new TypedAnswer();
  readonly #proxyUrl = new TypedAnswer();
  readonly #id = new TypedAnswer();
  readonly #name = new TypedAnswer();

  constructor(projects: Projects, questions: ProjectQuestions, title: string) {
    this.#projects = projects;
    this.#questions = questions;
    this.#title = title;
  }

  /**
   * The questions as part of a row.
   * @param step the one step that all of them belong to; each is a step of its own where absent
   */
  row(step?: string, applies: () => boolean = () => true): RowQuestion[] {
    const title = this.#title;
    const ask = (
      answer: TypedAnswer,
      options: Omit<InputOptions, 'title'>,
      asked = applies,
    ): RowQuestion => ({
      step: step ?? options.prompt,
      applies: asked,
      ask: async (at) => answer.ask(this.#questions, { title, ...options, step: at }),
    });
    const address = { placeHolder: 'https://', validate: addressProblem };
    const missing = (setting: 'baseUrl' | 'proxyUrl') => () =>
      applies() && config.defaultService()[setting] === '';
    return [
      ask(this.#baseUrl, { prompt: t('Address of the management API'), ...address }, missing('baseUrl')),
      ask(this.#proxyUrl, { prompt: t('Address of the run proxy'), ...address }, missing('proxyUrl')),
      ask(this.#id, {
        prompt: t('Id of the project, as the dashboard of the service shows it'),
        validate: (text) => this.#idProblem(text.trim()),
        ...apiKeysLink(),
      }),
      ask(this.#name, { prompt: t('Name to show; empty for the id') }),
    ];
  }

  /** What was answered. The addresses are kept in the settings, once the last question is answered. */
  async project(): Promise<Project> {
    const { text: name } = this.#name;
    await keepAddress(settingIds.baseUrl, this.#baseUrl.text);
    await keepAddress(settingIds.proxyUrl, this.#proxyUrl.text);
    return { id: this.#id.text, ...(name !== '' && { name }), serviceAccounts: [], apps: [] };
  }

  get projectId(): string {
    return this.#id.text;
  }

  #idProblem(id: string): string | undefined {
    if (id === '') return t('Enter an id.');
    return this.#projects.all().some((project) => project.id === id)
      ? t('The project {0} is there already.', id)
      : undefined;
  }
}

/** The first project needs to know where the service is; later ones find it in the settings. */
async function keepAddress(setting: 'baseUrl' | 'proxyUrl', address: string): Promise<void> {
  if (address === '') return;
  await writeSetting(settingIds[setting], address, vscode.ConfigurationTarget.Global);
}

function addressProblem(text: string): string | undefined {
  try {
    parseHttpUrl(text.trim());
    return undefined;
  } catch {
    return t('Enter an address that begins with https:// or http://.');
  }
}
