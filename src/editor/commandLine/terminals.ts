import { delimiter } from 'node:path';
import type * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { sentence, sentences } from '../../shared/text/sentences.ts';

/** The variable that has the Node of this editor. */
const nodeVariable = 'RUNHOOK_NODE';

/** Writes the description that terminals show of what the extension changes in them. */
export function describeTerminals(collection: vscode.EnvironmentVariableCollection): void {
  const text = t('Adds the command `runhook` to terminals');
  const given = [...collection]
    .map(([name]) => name)
    .filter((name) => !['PATH', nodeVariable].includes(name));
  const names = given.map((name) => `\`${name}\``).join(', ');
  collection.description = given.length === 0 ? text : sentences(sentence(text), t('Gives them {0}', names));
}

/** Lets the terminals of the editor find `runhook`, and the Node that runs it. */
export function showTerminals(context: vscode.ExtensionContext): void {
  const { environmentVariableCollection: collection } = context;
  // Recreated for each window: the extension's path changes with its version.
  collection.persistent = false;
  // A shell may reset its PATH as it starts: then shell integration adds the folder once more.
  const options = { applyAtProcessCreation: true, applyAtShellIntegration: true };
  collection.append('PATH', delimiter + context.asAbsolutePath('bin'), options);
  collection.replace(nodeVariable, process.execPath, options);
  describeTerminals(collection);
}
