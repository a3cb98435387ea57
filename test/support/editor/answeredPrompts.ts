import type { Uri } from 'vscode';
import type { Choice, InputOptions, LiveField, Prompts } from '../../../src/editor/kit/prompts.ts';

/** Prompts that return prepared answers: a text, a label, a list of labels or a boolean. */
export class AnsweredPrompts implements Prompts {
  /** The questions so far. */
  readonly asked: string[] = [];
  /** What was offered last. */
  offered: readonly Choice<unknown>[] = [];
  answers: unknown[] = [];

  input({ title }: InputOptions): Promise<string | undefined> {
    return Promise.resolve(this.#next(title) as string | undefined);
  }

  pick<T>(title: string, choices: readonly Choice<T>[]): Promise<T | undefined> {
    this.offered = choices;
    const label = this.#next(title);
    return Promise.resolve(choices.find((choice) => choice.label === label)?.value);
  }

  pickMany<T>(title: string, choices: readonly Choice<T>[]): Promise<T[] | undefined> {
    const labels = this.#next(title) as string[];
    return Promise.resolve(choices.filter(({ label }) => labels.includes(label)).map(({ value }) => value));
  }

  live(field: LiveField): Promise<boolean> {
    const text = this.#next(field.title);
    if (typeof text === 'string') field.follow(text);
    return Promise.resolve(typeof text === 'string' && field.canBeKept());
  }

  confirm(question: string, detail: string, verb: string): Promise<boolean> {
    return Promise.resolve(this.#next(`${question}\n${detail}\n[${verb}]`) === true);
  }

  saveFile(title: string): Promise<Uri | undefined> {
    return Promise.resolve(this.#next(title) as Uri | undefined);
  }

  tell(message: string): Promise<string | undefined> {
    this.asked.push(message);
    return Promise.resolve(undefined);
  }

  #next(question: string): unknown {
    this.asked.push(question);
    if (this.answers.length === 0) throw new Error(`No answer was given for: ${question}`);
    return this.answers.shift();
  }
}
