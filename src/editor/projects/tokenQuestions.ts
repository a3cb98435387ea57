import * as vscode from 'vscode';
import type { ServiceAccount } from '../../model/project.ts';
import { cleanToken, tokenWarnings, tokenWarningText } from '../../model/token.ts';
import type { Prompts } from '../prompts.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import type { Projects } from './projects.ts';

const t = vscode.l10n.t;

/** Asks for tokens, and says at once what is odd about one. Nothing odd forbids it. */
export class TokenQuestions {
  readonly #projects: Projects;
  readonly #questions: ProjectQuestions;
  readonly #prompts: Prompts;

  constructor(projects: Projects, questions: ProjectQuestions, prompts: Prompts) {
    this.#projects = projects;
    this.#questions = questions;
    this.#prompts = prompts;
  }

  /** @throws UserError for what no header can carry */
  clean(token: string): string {
    return cleanToken(token, t);
  }

  /** Asks for the token of an account. @throws DeclinedError */
  async ask(projectId: string, account: ServiceAccount, title: string): Promise<string> {
    const prompt = t('Token of the service account {0}', account.name ?? account.id);
    return this.clean(await this.#questions.input(this.#input(projectId, title, prompt)));
  }

  /** Asks for the token of a new account; the user may go without. */
  async offer(projectId: string, account: ServiceAccount): Promise<void> {
    const name = account.name ?? account.id;
    const prompt = t('Token of the service account {0}; empty to set it later', name);
    const { validate, ...input } = this.#input(projectId, t('Add Service Account'), prompt);
    const typed = await this.#prompts.input({
      ...input,
      validate: (text) => (text.trim() === '' ? undefined : validate(text)),
    });
    if (typed === undefined || typed.trim() === '') return;
    await this.#projects.setToken(projectId, account.id, this.clean(typed));
  }

  #input(projectId: string, title: string, prompt: string) {
    return {
      title,
      prompt,
      password: true,
      validate: (text: string) => this.#problem(text),
      warn: (text: string) => (text.trim() === '' ? undefined : this.#warning(text, projectId)),
    };
  }

  #warning(text: string, projectId: string): string | undefined {
    const warnings = tokenWarnings(this.clean(text), projectId, Date.now());
    return warnings.length === 0
      ? undefined
      : warnings.map((warning) => tokenWarningText(warning, t)).join(' ');
  }

  #problem(text: string): string | undefined {
    try {
      this.clean(text);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
