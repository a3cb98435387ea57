import * as vscode from 'vscode';
import { momentFormat, momentText as textOfMoment } from '../../shared/text/momentText.ts';

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

/** The day and the time of day: `2 Mar 2027, 03:44:46`. */
export const momentText = (at: number): string => textOfMoment(at, format());

const dayFormat = localeFormat((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const format = localeFormat(momentFormat);
