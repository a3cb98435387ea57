import { UserError } from '../../shared/text/userError.ts';
import { givenFile } from './files.ts';
import { BackError, inputMistake, type Prompts, type Step } from './prompts.ts';

/** The command by which a test sets its answers. Registered only in the test mode of the extension host. */
export const answerPromptsCommand = 'runhook.test.answerPrompts';
/** The command that returns the messages that were shown since its last call. Registered only in test mode, too. */
export const toldCommand = 'runhook.test.told';

/** A message as it was shown, with its buttons. */
export interface Told {
  message: string;
  verbs: readonly string[];
}

/**
 * Prompts that a test answers in advance: a text for an input, the path of a file to write, a label for a pick, a
 * label and a button title for a pick with buttons, labels for a pick of several, and a boolean for a confirmation.
 * `{back: true}` goes back if that is possible. `{kept: true}` accepts an input or a pick as it is shown.
 * An input whose check fails takes the next answer. A function returns the answer, given the question, its detail,
 * verb and kind. `{verb: 'Try Again'}` clicks that button of the next message. Without it, a message gets no answer.
 * If no answer is left, a question rejects with an error that names the question.
 */
export class ScriptedPrompts implements Prompts {
  #answers: unknown[] = [];
  #told: Told[] = [];

  /** Sets the next answers. @returns earlier answers that were not used */
  script(answers: readonly unknown[]): unknown[] {
    const unused = this.#answers;
    this.#answers = [...answers];
    return unused;
  }

  /** The messages that were shown since the last call. */
  told(): Told[] {
    const told = this.#told;
    this.#told = [];
    return told;
  }

  readonly input: Prompts['input'] = async (options) => {
    for (let rejected: string | undefined; ;) {
      const given = await this.#next('input', options.prompt, options);
      const answer = isKept(given) ? (options.value ?? '') : given;
      if (typeof answer !== 'string') return undefined;
      const mistake = inputMistake(options, answer);
      if (mistake !== undefined) throw new UserError(mistake);
      if (answer === rejected) return answer;
      if ((await options.check?.(answer, new AbortController().signal)) === undefined) return answer;
      rejected = answer;
    }
  };

  readonly pick: Prompts['pick'] = async (title, choices, options = {}) => {
    const { active } = options;
    const answer = await this.#next('pick', title, options);
    if (isKept(answer)) return (choices.find(({ value }) => value === active) ?? choices[0])?.value;
    return choices.find((choice) => choice.label === answer)?.value;
  };

  readonly pickMany: Prompts['pickMany'] = async (title, choices) => {
    const answer = await this.#next('pickMany', title);
    if (!Array.isArray(answer)) return undefined;
    return choices.filter((choice) => answer.includes(choice.label)).map(({ value }) => value);
  };

  /** Types one or more texts in turn, and keeps the last if possible. Any other answer closes the field. */
  readonly live: Prompts['live'] = async (field) => {
    const texts = [await this.#next('live', field.title)].flat();
    for (const text of texts) if (typeof text === 'string') field.follow(text);
    return texts.every((text) => typeof text === 'string') && field.canBeKept();
  };

  readonly confirm: Prompts['confirm'] = async (question, detail, verb) => {
    return (await this.#next('confirm', question, { detail, verb })) === true;
  };

  /** Takes the path or the URI of a file, or `{kept: true}` for the proposed one. */
  readonly saveFile: Prompts['saveFile'] = async (title, proposed) => {
    const answer = await this.#next('saveFile', title);
    if (isKept(answer)) return proposed;
    return typeof answer === 'string' ? givenFile(answer) : undefined;
  };

  readonly tell: Prompts['tell'] = (message, verbs) => {
    this.#told.push({ message, verbs });
    const [answer] = this.#answers;
    if (!isVerb(answer)) return Promise.resolve(undefined);
    this.#answers.shift();
    return Promise.resolve(answer.verb);
  };

  #next(
    kind: keyof Prompts,
    question: string,
    { step, detail = '', verb = '' }: { step?: Step; detail?: string; verb?: string } = {},
  ): Promise<unknown> {
    if (this.#answers.length === 0) return Promise.reject(new Error(`No answer was given for: ${question}`));
    const next = this.#answers.shift();
    const answer = isFunction(next) ? next(question, detail, verb, kind) : next;
    const goesBack = typeof answer === 'object' && answer !== null && 'back' in answer;
    const canGoBack = step !== undefined && step.number > 1;
    return goesBack && canGoBack ? Promise.reject(new BackError()) : Promise.resolve(answer);
  }
}

function isFunction(
  answer: unknown,
): answer is (...asked: [...Parameters<Prompts['confirm']>, kind: keyof Prompts]) => unknown {
  return typeof answer === 'function';
}

function isKept(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'kept' in answer;
}

function isVerb(answer: unknown): answer is { verb: string } {
  return typeof answer === 'object' && answer !== null && 'verb' in answer;
}
