import * as vscode from 'vscode';

const scheme = 'runhook-last-known';

/** The URI of rows with last known data: a view has no other way to grey the text of a row. */
export const lastKnownUri = vscode.Uri.from({ scheme, path: '/key' });

/** Greys the rows that show last known data. */
export function registerGreyedKeys(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) =>
      uri.scheme === scheme
        ? new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor('disabledForeground'))
        : undefined,
  });
}
