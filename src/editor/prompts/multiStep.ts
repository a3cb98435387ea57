import { BackError } from './backError.ts';
import type { Step } from './prompts.ts';

/** One of several questions in a row. */
export interface RowQuestion {
  /** The name of the step that it belongs to: a step can have several questions. */
  step: string;
  /** Whether it is to be asked, by the answers so far; always where absent. */
  applies?: () => boolean;
  ask: (step: Step) => Promise<void>;
}

/**
 * Asks what applies, one after the other. A question can be gone back from to the one asked before it; its
 * number is that of its step among those that apply. What else a question throws ends the row.
 */
export async function multiStep(questions: readonly RowQuestion[]): Promise<void> {
  const applies = ({ applies: asked }: RowQuestion) => asked?.() ?? true;
  const after = (at: number) => questions.findIndex((one, index) => index > at && applies(one));
  const before = (at: number) => questions.findLastIndex((one, index) => index < at && applies(one));
  let at = after(-1);
  for (let question = questions[at]; question !== undefined; question = questions[at]) {
    const steps = [...new Set(questions.filter(applies).map(({ step }) => step))];
    const step = { number: steps.indexOf(question.step) + 1, of: steps.length, canGoBack: before(at) >= 0 };
    try {
      await question.ask(step);
      at = after(at);
    } catch (error) {
      if (!(error instanceof BackError)) throw error;
      at = before(at);
    }
  }
}
