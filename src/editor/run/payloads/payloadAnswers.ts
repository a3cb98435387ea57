import type * as vscode from 'vscode';
import { optionsOf, type PayloadInput } from '../../../model/payloads/payloadInputs.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { DeclinedError } from '../../prompts/declinedError.ts';
import { lastUsedFirst } from '../../prompts/lastUsedFirst.ts';
import type { Prompts } from '../../prompts/prompts.ts';

const answersKey = 'run.payloadAnswers';
/** How many files have remembered answers, and how long a remembered answer may be, in characters. */
const mostFiles = 200;
const longest = 10_000;

/** Asks for the values of `${input:…}` in a payload, and remembers them for the next time, except passwords. */
export class PayloadAnswers {
  readonly #prompts: Prompts;
  readonly #memento: vscode.Memento;

  /** @param memento of the workspace */
  constructor(prompts: Prompts, memento: vscode.Memento) {
    this.#prompts = prompts;
    this.#memento = memento;
  }

  /** @throws DeclinedError if no answer was given */
  async ask(file: vscode.Uri, input: PayloadInput): Promise<string> {
    const known = this.#answersOf(file);
    const last = Object.hasOwn(known, input.id) ? known[input.id] : input.default;
    const answer = await this.#answer(input, last);
    if (answer === undefined) throw new DeclinedError(t('Nothing was run.'));
    const isSecret = input.type === 'promptString' && input.password === true;
    if (!isSecret && answer.length <= longest) await this.#remember(file, input.id, answer);
    return answer;
  }

  #answer(input: PayloadInput, last: string | undefined): Promise<string | undefined> {
    // The description may come from somebody else.
    const prompt = plainText(input.description ?? input.id, 300);
    if (input.type === 'pickString') {
      const choices = optionsOf(input).map(({ label, value }) => ({ label: plainText(label), value }));
      return this.#prompts.pick(
        prompt,
        lastUsedFirst(choices, ({ value }) => value === last),
      );
    }
    const { password = false } = input;
    return this.#prompts.input({
      ...{ title: t('Input of the payload'), prompt, password },
      value: (password ? input.default : last) ?? '',
    });
  }

  #answersOf(file: vscode.Uri): Record<string, string> {
    return this.#all().find(([one]) => one === file.toString())?.[1] ?? {};
  }

  #all(): [file: string, answers: Record<string, string>][] {
    return this.#memento.get(answersKey, []);
  }

  async #remember(file: vscode.Uri, id: string, answer: string): Promise<void> {
    const key = file.toString();
    const others = this.#all().filter(([one]) => one !== key);
    const entry: [string, Record<string, string>] = [key, { ...this.#answersOf(file), [id]: answer }];
    await this.#memento.update(answersKey, [...others, entry].slice(-mostFiles));
  }
}
