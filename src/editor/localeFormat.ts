import * as vscode from 'vscode';

/**
 * A format in the editor's language, or in English where the platform has none for it. Made with the first use and
 * kept: to make one takes longer than to draw a hundred lines with it.
 */
export function localeFormat<Format>(make: (locale: string[]) => Format): () => Format {
  let format: Format | undefined;
  return () => (format ??= make(Intl.DateTimeFormat.supportedLocalesOf([vscode.env.language, 'en'])));
}
