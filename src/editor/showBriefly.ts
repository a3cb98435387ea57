import * as vscode from 'vscode';

const shownMs = 5000;

/** Says in the status bar what has happened, for a few seconds: nobody has to close it, and nothing is covered. */
export function showBriefly(text: string): void {
  vscode.window.setStatusBarMessage(text, shownMs);
}
