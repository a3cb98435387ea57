import type { Choice, InputOptions, Prompts } from './prompts.ts';

/** One question of a multi-step input. */
export interface Question<Answers> {
  /** Which of the answers it asks for. */
  field: keyof Answers;
  /** Whether it is asked, by the answers so far; always where absent. */
  applies?: (answers: Answers) => boolean;
  /** What it looks like, by the answers so far: an input, or a pick. */
  ask: (answers: Answers) => Omit<InputOptions, 'value' | 'step'> | PickQuestion;
}

interface PickQuestion {
  title: string;
  choices: readonly Choice<string>[];
}

/** The user goes back to the question before. */
export class BackError extends Error {
  override readonly name = 'BackError';
  /** What was typed until then, for the time when the question is asked again. */
  readonly typed: string | undefined;

  constructor(typed?: string) {
    super();
    this.typed = typed;
  }
}

/**
 * Asks several questions in a row. Each is numbered, leads back to the one before it, and offers again what was
 * answered to it before.
 * @param answers what is offered to begin with
 * @returns undefined where the user leaves
 */
export async function multiStep<Answers extends Record<keyof Answers, string>>(
  prompts: Prompts,
  questions: readonly Question<Answers>[],
  answers: Answers,
): Promise<Answers | undefined> {
  let current = answers;
  const asked = () => questions.filter(({ applies }) => applies?.(current) ?? true);
  let question = asked()[0];
  while (question !== undefined) {
    const { field } = question;
    const number = asked().indexOf(question) + 1;
    const step = { number, of: asked().length };
    const look = question.ask(current);
    try {
      const answer =
        'choices' in look
          ? await prompts.pick(look.title, look.choices, { step, active: current[field] })
          : await prompts.input({ ...look, value: current[field], step });
      if (answer === undefined) return undefined;
      current = { ...current, [field]: answer.trim() };
      question = asked()[asked().indexOf(question) + 1];
    } catch (error) {
      if (!(error instanceof BackError)) throw error;
      current = { ...current, [field]: error.typed ?? current[field] };
      question = asked()[number - 2];
    }
  }
  return current;
}
