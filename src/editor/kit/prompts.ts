import type * as vscode from 'vscode';
import { looksLikeToken } from '../../service/keys/token.ts';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';

/** How serious a message is. */
export type Severity = 'error' | 'warning' | 'information';

/** One line of a pick. */
export interface Choice<T> {
  /** Stands above it: the choices from here on belong together. */
  heading?: string;
  label: string;
  description?: string;
  detail?: string;
  /** Whether it is initially selected in a pick of several. */
  picked?: boolean;
  value: T;
}

/** The position of a question in a series. */
export interface Step {
  /** From 1. From 2 on, a Back button leads to the previous question: the prompt throws a BackError. */
  number: number;
  of: number;
}

/** A button of a box that opens something else, while the box stays open. */
export interface InputLink {
  title: string;
  open: () => void;
}

export interface InputOptions {
  title: string;
  prompt: string;
  value?: string;
  placeHolder?: string;
  /** Hides what is typed. */
  password?: boolean;
  /** What is wrong with the text so far, or undefined. */
  validate?: (text: string) => string | undefined;
  /** A warning about the text so far, which can still be accepted, or undefined. */
  warn?: (text: string) => string | undefined;
  /** What is kept in place of a text that has no mistake. It is shown while it differs from the text. */
  becomes?: (text: string) => string;
  /**
   * Checks a text that is about to be accepted, for instance with the service. Resolves with the problem, or
   * undefined. The same text is accepted when it is entered again. Never rejects.
   */
  check?: (text: string, signal: AbortSignal) => Promise<string | undefined>;
  link?: InputLink;
  step?: Step;
}

export interface PickOptions<T> {
  /** The value of the choice that is initially active; the first one if absent. */
  active?: T;
  step?: Step;
}

/** A line under a live field. */
export interface FieldLine {
  label: string;
  description?: string;
  icon?: string;
  /** The text of the field once the line is chosen; absent if the line stands for the current text. */
  text?: string;
}

/** A field that reacts to each keystroke. */
export interface LiveField {
  title: string;
  placeHolder: string;
  /** The initial text. */
  value: string;
  /** Handles the current text. */
  follow(text: string): void;
  /** The choices for the text last passed to `follow`. The first line stands for the text itself. */
  lines(): readonly FieldLine[];
  /** Calls back when the lines change, or when something is chosen outside of the field: then the text is kept. */
  listen(changed: () => void, chosenElsewhere: () => void): { dispose(): unknown };
  /** Whether the current text can be kept. */
  canBeKept(): boolean;
}

/**
 * The questions that Runhook asks. They go through this interface so that a test, where nobody can answer
 * a modal message, answers in the user's place. `undefined` and `false` mean that the user declined.
 */
export interface Prompts {
  input(options: InputOptions): Promise<string | undefined>;
  pick<T>(title: string, choices: readonly Choice<T>[], options?: PickOptions<T>): Promise<T | undefined>;
  /** A pick of several choices. An empty selection is an answer too. */
  pickMany<T>(title: string, choices: readonly Choice<T>[]): Promise<T[] | undefined>;
  /** Shows a live field. @returns whether its text is kept */
  live(field: LiveField): Promise<boolean>;
  /**
   * A modal question with one button to confirm.
   * @param verb the label of the button: what is about to be done
   */
  confirm(question: string, detail: string, verb: string): Promise<boolean>;
  /**
   * Asks where to write a file. A user who names an existing file has agreed to replace it.
   * @param proposed the initial location
   */
  saveFile(title: string, proposed: vscode.Uri): Promise<vscode.Uri | undefined>;
  /** Shows a message, an error by default. @returns the verb that was picked, if any */
  tell(message: string, verbs: readonly string[], as?: Severity): Promise<string | undefined>;
}

/** The user declined a question. The caller gets the error, but it is not shown to the user. */
export class DeclinedError extends UserError {
  override readonly name = 'DeclinedError';
}

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

/** Why an input rejects a text; undefined if it does not. Only an input for a token accepts a token. */
export function inputMistake({ password, validate }: InputOptions, text: string): string | undefined {
  return password !== true && looksLikeToken(text) ? misplacedToken() : validate?.(text);
}

/** What is said about a text that has no mistake, in place of the prompt: the prompt, what it becomes, and the warning. */
export function inputNote(
  { prompt, becomes, warn }: InputOptions,
  text: string,
): { message: string; isWarning: boolean } | undefined {
  const kept = becomes?.(text);
  const warning = warn?.(text);
  const isOther = kept !== undefined && kept !== text.trim();
  if (!isOther && warning === undefined) return undefined;
  const said = isOther ? `${prompt} → ${plainText(kept, 300)}` : prompt;
  return { message: warning === undefined ? said : `${said} · ${warning}`, isWarning: warning !== undefined };
}

export function misplacedToken(): string {
  return t('This looks like a token. Enter it only where you are asked for a token.');
}

/** The choices with the one that was used last in front. The others keep their order. */
export function lastUsedFirst<T>(choices: readonly T[], isLast: (choice: T) => boolean): T[] {
  return [...choices.filter(isLast), ...choices.filter((choice) => !isLast(choice))];
}
