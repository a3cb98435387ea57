import { BackError } from '../../prompts/backError.ts';
import type { InputOptions } from '../../prompts/prompts.ts';
import type { ProjectQuestions } from './projectQuestions.ts';

/** What was typed in answer to a question of a row. It is offered again where the user comes back. */
export class TypedAnswer {
  text = '';

  /** @throws DeclinedError, and BackError where the user goes back: what was typed until then stays */
  async ask(questions: ProjectQuestions, options: InputOptions): Promise<void> {
    try {
      this.text = await questions.input({ ...options, value: this.text });
    } catch (error) {
      if (error instanceof BackError) this.text = error.typed ?? this.text;
      throw error;
    }
  }
}
