/** Puts a message into a language: `{0}`, `{1}` … stand for the arguments, in order. The shape is that of `vscode.l10n.t`. */
type Translate = (message: string, ...args: (string | number)[]) => string;

/** The messages of a language by their English text, as `vscode.l10n.bundle` has them. */
export type Bundle = Readonly<Record<string, string>>;

const english: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));

/** One for each process, thread and page: whoever starts there sets it, once. English until then. */
let translate = english;

/** A message in the language of this process. */
export function t(message: string, ...args: (string | number)[]): string {
  return translate(message, ...args);
}

/** From here on `t` speaks as the editor does. */
export function setTranslate(next: Translate): void {
  translate = next;
}

/** From here on `t` speaks by a bundle: for a program, a thread or a page, which have no `vscode`. */
export function useBundle(bundle: Bundle): void {
  translate = (message, ...args) => english(bundle[message] ?? message, ...args);
}
