import * as vscode from 'vscode';
import { plainText } from '../../model/plainText.ts';
import type { ServiceAccount } from '../../model/project.ts';
import { cleanToken } from '../../model/token.ts';
import type { ProjectQuestions } from './projectQuestions.ts';
import { tokenInput } from './tokenInput.ts';

const t = vscode.l10n.t;

/** Asks for the token of an account that is there, and says at once what is odd about it. */
export class TokenQuestions {
  readonly #questions: ProjectQuestions;

  constructor(questions: ProjectQuestions) {
    this.#questions = questions;
  }

  /** @throws DeclinedError */
  async ask(projectId: string, { id, name }: ServiceAccount, title: string): Promise<string> {
    const prompt = t('Token of the service account {0}', plainText(name ?? id));
    return cleanToken(await this.#questions.input({ title, prompt, ...tokenInput(projectId) }), t);
  }
}
