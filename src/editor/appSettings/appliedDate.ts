import * as vscode from 'vscode';

/** When something was applied, in the editor's language. @param at milliseconds since 1970 */
export function appliedDate(at: number): string {
  const locale = Intl.DateTimeFormat.supportedLocalesOf([vscode.env.language, 'en']);
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}
