import * as vscode from 'vscode';

const shownMs = 5000;

/** Shows a text in the status bar for a few seconds: the user need not close it, and it covers nothing. */
export function showBriefly(text: string): void {
  vscode.window.setStatusBarMessage(text, shownMs);
}
