import * as vscode from 'vscode';

/**
 * A format in the editor's language, or in English if the platform does not support it. Created on first use and
 * cached: creating one takes longer than formatting a hundred lines.
 */
export function localeFormat<Format>(make: (locale: string[]) => Format): () => Format {
  let format: Format | undefined;
  return () => (format ??= make(Intl.DateTimeFormat.supportedLocalesOf([vscode.env.language, 'en'])));
}
