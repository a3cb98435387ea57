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
    const typed = await this.#questions.input({
      title,
      prompt: t('Token of the service account {0}', account.name ?? account.id),
      password: true,
      validate: (text) => this.#problem(text),
    });
    const token = this.clean(typed);
    const warnings = tokenWarnings(token, projectId, Date.now());
    if (warnings.length > 0) {
      await this.#questions.confirm(
        t('Use this token?'),
        warnings.map((warning) => tokenWarningText(warning, t)).join('\n'),
        t('Use It'),
      );
    }
    return token;
  }

  /** Asks for the token of a new account; the user may go without. */
  async offer({ projectId, account }: { projectId: string; account: ServiceAccount }): Promise<void> {
    const typed = await this.#prompts.input({
      title: t('Add Service Account'),
      prompt: t('Token of the service account {0}; empty to set it later', account.name ?? account.id),
      password: true,
    });
    if (typed === undefined || typed.trim() === '') return;
    await this.#projects.setToken(projectId, account.id, this.clean(typed));
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
