/**
 * Puts a message into the user's language: `{0}`, `{1}` … stand for the arguments, in order. The shape is
 * that of `vscode.l10n.t`, so that the model can speak without importing the editor.
 */
export type Translate = (message: string, ...args: (string | number)[]) => string;

/** The messages as they are written. */
export const inEnglish: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (whole, index: string) => String(args[Number(index)] ?? whole));

/** Translates by whatever is the translation at the time. */
export function translateByLatest(latest: () => Translate): Translate {
  return (message, ...args) => latest()(message, ...args);
}

/** Translates by a bundle such as `vscode.l10n.bundle` (by the English text): for a thread or a webview, which have no `vscode`. */
export function translateBy(bundle: Readonly<Record<string, string>>): Translate {
  return (message, ...args) => inEnglish(bundle[message] ?? message, ...args);
}
