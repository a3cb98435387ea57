import type { ServiceAccount } from '../../../model/projects/project.ts';
import { cleanToken } from '../../../model/keys/token.ts';
import type { ProjectQuestions } from '../questions/projectQuestions.ts';
import { tokenQuestion } from './tokenInput.ts';

/** Asks for the token of an account that is there, and says at once what is odd about it. */
export class TokenQuestions {
  readonly #questions: ProjectQuestions;

  constructor(questions: ProjectQuestions) {
    this.#questions = questions;
  }

  /** @throws DeclinedError */
  async ask(projectId: string, account: ServiceAccount, title: string): Promise<string> {
    const typed = await this.#questions.input(tokenQuestion(projectId, account, title));
    return cleanToken(typed);
  }
}
