import type * as vscode from 'vscode';

/** One line of a pick. */
export interface Choice<T> {
  label: string;
  description?: string;
  detail?: string;
  /** Whether it is ticked to begin with, where several can be. */
  picked?: boolean;
  value: T;
}

/** A button on a line of a pick: a codicon, and in words what it does. */
export interface ChoiceButton<A> {
  icon: string;
  title: string;
  action: A;
}

export type ButtonChoice<T, A> = Choice<T> & { buttons: readonly ChoiceButton<A>[] };

/** A line that was picked; with `action` where one of its buttons was. */
export interface PickedOrActed<T, A> {
  value: T;
  action?: A;
}

/** Where a question stands among several in a row. */
export interface Step {
  /** From 1; beyond that a button leads to the question before, which throws a BackError. */
  number: number;
  of: number;
}

/** A button of a box that leads elsewhere, while the box stays. */
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
  /** What is odd about the text so far and yet can be accepted, or undefined. */
  warn?: (text: string) => string | undefined;
  /**
   * Asks elsewhere about a text that is about to be accepted: why it will not do, or undefined. The same text is
   * accepted when it is entered once more. Never rejects.
   */
  check?: (text: string, signal: AbortSignal) => Promise<string | undefined>;
  link?: InputLink;
  step?: Step;
}

export interface PickOptions<T> {
  /** The value of the choice that is in front to begin with; the first where absent. */
  active?: T;
  step?: Step;
}

/** A line under a field that is answered while something is typed into it. */
export interface FieldLine {
  label: string;
  description?: string;
  icon?: string;
  /** What stands in the field once the line is chosen; absent where the line stands for the text as it is. */
  text?: string;
}

/** A field whose text is followed with each letter. */
export interface LiveField {
  title: string;
  placeHolder: string;
  /** What stands in it to begin with. */
  value: string;
  /** Takes what stands in it now. */
  follow(text: string): void;
  /** What there is to choose from for the text that was followed last; the first line stands for the text itself. */
  lines(): readonly FieldLine[];
  /** Calls back whenever the lines are others, or when something else was chosen: the text is kept then. */
  listen(changed: () => void, chosenElsewhere: () => void): { dispose(): unknown };
  /** Whether the text can be kept as it stands. */
  canBeKept(): boolean;
}

/**
 * The questions that Runhook asks. They go through this interface so that a test, where nobody can answer
 * a modal message, answers in the user's place. `undefined` and `false` mean that the user declined.
 */
export interface Prompts {
  input(options: InputOptions): Promise<string | undefined>;
  pick<T>(title: string, choices: readonly Choice<T>[], options?: PickOptions<T>): Promise<T | undefined>;
  /** A pick whose lines carry buttons. */
  pickOrAct<T, A>(
    title: string,
    choices: readonly ButtonChoice<T, A>[],
  ): Promise<PickedOrActed<T, A> | undefined>;
  /** Several of the choices; none of them is an answer too. */
  pickMany<T>(title: string, choices: readonly Choice<T>[]): Promise<T[] | undefined>;
  /** Asks by a field. @returns whether its text is kept */
  live(field: LiveField): Promise<boolean>;
  /**
   * A modal question with one way to go on.
   * @param verb what its button says: what is about to be done
   */
  confirm(question: string, detail: string, verb: string): Promise<boolean>;
  /**
   * Where a file is to be written; whoever names one that is there already has agreed to have it replaced.
   * @param proposed where to begin
   */
  saveFile(title: string, proposed: vscode.Uri): Promise<vscode.Uri | undefined>;
  /** Tells what went wrong. @returns the verb that was picked, if any */
  tell(message: string, verbs: readonly string[]): Promise<string | undefined>;
}
