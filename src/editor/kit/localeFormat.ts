import * as vscode from 'vscode';

/**
 * A format in the editor's language, or in English if the platform does not support it. Created on first use and
 * cached: creating one takes longer than formatting a hundred lines.
 */
export function localeFormat<Format>(make: (locale: string[]) => Format): () => Format {
  let format: Format | undefined;
  return () => (format ??= make(Intl.DateTimeFormat.supportedLocalesOf([vscode.env.language, 'en'])));
}

/** `2 Mar 2027`, in the format of the editor's language. */
export const dayText = (at: number): string => dayFormat().format(at);

/** The day and the time of day, as on the clock of the rows: `2 Mar 2027, 03:44:46`, also where Japanese has `3:44:46`. */
export const momentText = (at: number): string => momentFormat().format(at).replace(/\b\d:/, '0$&');

const dayFormat = localeFormat((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const momentFormat = localeFormat(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' }),
);
