import { delimiter } from 'node:path';
import type * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';

/** The description that terminals show of what the extension changes in them. */
export function terminalsText(): string {
  return t('Adds the command `runhook` to terminals');
}

/** Lets the terminals of the editor find `runhook`, and the Node that runs it. */
export function showTerminals(context: vscode.ExtensionContext): void {
  const { environmentVariableCollection: collection } = context;
  // Recreated for each window: the extension's path changes with its version.
  collection.persistent = false;
  collection.description = terminalsText();
  // A shell may reset its PATH as it starts: then shell integration adds the folder once more.
  const options = { applyAtProcessCreation: true, applyAtShellIntegration: true };
  collection.append('PATH', delimiter + context.asAbsolutePath('bin'), options);
  collection.replace('RUNHOOK_NODE', process.execPath, options);
}
