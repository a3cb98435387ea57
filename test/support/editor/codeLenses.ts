import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './inEditor.ts';

/**
 * The commands of a document's code lenses, from top to bottom. VS Code discards them soon after it resolves them, so on
 * a busy machine some may be missing. Then it asks again. The space after an icon is given as a usual one.
 */
export async function codeLenses(uri: vscode.Uri): Promise<vscode.Command[]> {
  const found = await eventually(async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      10,
    );
    const commands = lenses.flatMap(({ command }) => command ?? []);
    return commands.length === lenses.length ? commands : undefined;
  });
  return found.map(({ title, ...more }) => {
    // The editor would drop a usual one.
    assert.doesNotMatch(title, /^\$\([^)]+\) /);
    return { ...more, title: title.replace('\u00a0', ' ') };
  });
}
