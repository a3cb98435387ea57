import * as vscode from 'vscode';
import type { ButtonChoice, Choice, InputOptions, PickedOrActed, Prompts } from './prompts.ts';

/** The command by which a test gives its answers; registered in the test mode of the extension host alone. */
export const answerPromptsCommand = 'runhook.test.answerPrompts';

/**
 * Prompts that a test answers beforehand: a text for an input, a label for a pick, a label and the title of
 * a button for one with buttons, labels for a pick of several, a boolean for a confirmation. A question that no answer is left for rejects, and names itself.
 */
export class ScriptedPrompts implements Prompts, vscode.Disposable {
  #answers: unknown[] = [];
  readonly #command = vscode.commands.registerCommand(answerPromptsCommand, (answers: unknown[]) => {
    const unused = this.#answers;
    this.#answers = [...answers];
    return unused;
  });

  async input(options: InputOptions): Promise<string | undefined> {
    const answer = await this.#next(options.prompt);
    if (typeof answer !== 'string') return undefined;
    const problem = options.validate?.(answer);
    if (problem !== undefined) throw new Error(problem);
    return answer;
  }

  async pick<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    const answer = await this.#next(title);
    return choices.find((choice) => choice.label === answer)?.value;
  }

  async pickOrAct<T, A>(
    title: string,
    choices: readonly ButtonChoice<T, A>[],
  ): Promise<PickedOrActed<T, A> | undefined> {
    const [label, button] = [await this.#next(title)].flat();
    const choice = choices.find((one) => one.label === label);
    const action = choice?.buttons.find((one) => one.title === button)?.action;
    return choice && { value: choice.value, ...(action !== undefined && { action }) };
  }

  async pickMany<T>(title: string, choices: readonly Choice<T>[]): Promise<T[] | undefined> {
    const answer = await this.#next(title);
    if (!Array.isArray(answer)) return undefined;
    return choices.filter((choice) => answer.includes(choice.label)).map(({ value }) => value);
  }

  async confirm(question: string): Promise<boolean> {
    return (await this.#next(question)) === true;
  }

  #next(question: string): Promise<unknown> {
    return this.#answers.length === 0
      ? Promise.reject(new Error(`No answer was given for: ${question}`))
      : Promise.resolve(this.#answers.shift());
  }

  dispose(): void {
    this.#command.dispose();
  }
}
