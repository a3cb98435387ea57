import type * as vscode from 'vscode';

/** The command line in the terminals of the editor. Activation does not wait for it. */
export function registerCommandLine(context: vscode.ExtensionContext): void {
  void import('./terminals.ts').then(({ showTerminals }) => showTerminals(context));
}
