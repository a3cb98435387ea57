/** Translates a message: `{0}`, `{1}` … stand for the arguments, in order. It has the type of `vscode.l10n.t`. */
type Translate = (message: string, ...args: (string | number)[]) => string;

/** The messages of a language by their English text, as `vscode.l10n.bundle` has them. */
export type Bundle = Readonly<Record<string, string>>;

const english: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));

/** One for each process, thread and page, set once at its start. English until then. */
let translate = english;

/** A message in the language of this process. */
export function t(message: string, ...args: (string | number)[]): string {
  return translate(message, ...args);
}

/** A number with one decimal, and the mark that the language has before it: `2.1`, `2,1`. */
export function oneDecimal(value: number): string {
  const [whole = '', tenths = ''] = value.toFixed(1).split('.');
  return t('{0}.{1}', whole, tenths);
}

/** Makes `t` translate with the editor's function from now on. */
export function setTranslate(next: Translate): void {
  translate = next;
}

/** Makes `t` translate with a bundle from now on: for a program, a thread or a page, which have no `vscode`. */
export function useBundle(bundle: Bundle): void {
  translate = (message, ...args) => english(bundle[message] ?? message, ...args);
}
