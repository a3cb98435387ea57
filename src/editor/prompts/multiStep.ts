import type { Choice, InputOptions, Prompts } from './prompts.ts';

/** One question of a multi-step input. */
export interface Question<Answers> {
  /** The answer that it asks for. */
  field: keyof Answers;
  /** Whether it is asked, given the answers so far. Always if absent. */
  applies?: (answers: Answers) => boolean;
  /** The input or the pick to show, given the answers so far. */
  ask: (answers: Answers) => Omit<InputOptions, 'value' | 'step'> | PickQuestion;
}

interface PickQuestion {
  title: string;
  choices: readonly Choice<string>[];
}

/** The user goes back to the previous question. */
export class BackError extends Error {
  override readonly name = 'BackError';
  /** What was typed so far. It is shown when the question is asked again. */
  readonly typed: string | undefined;

  constructor(typed?: string) {
    super();
    this.typed = typed;
  }
}

/**
 * Asks several questions in a row. Each is numbered, has a way back to the previous one, and shows its earlier answer
 * when it is asked again.
 * @param answers the initial answers
 * @returns undefined if the user cancels
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
      const becomes = 'becomes' in look ? look.becomes : undefined;
      current = { ...current, [field]: becomes?.(answer) ?? answer.trim() };
      question = asked()[asked().indexOf(question) + 1];
    } catch (error) {
      if (!(error instanceof BackError)) throw error;
      current = { ...current, [field]: error.typed ?? current[field] };
      question = asked()[number - 2];
    }
  }
  return current;
}
