import * as vscode from 'vscode';

const scheme = 'runhook-last-known';

/** Carried by a line that shows what was last known: a view has no other way to grey a line's text. */
export const lastKnownUri = vscode.Uri.from({ scheme, path: '/key' });

/** Greys the lines that show what was last known. */
export function registerGreyedKeys(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: (uri) =>
      uri.scheme === scheme
        ? new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor('disabledForeground'))
        : undefined,
  });
}
