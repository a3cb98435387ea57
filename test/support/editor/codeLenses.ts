import * as vscode from 'vscode';
import { eventually } from './inEditor.ts';

/**
 * The commands of a document's code lenses, from top to bottom. VS Code discards them soon after it resolves them, so on
 * a busy machine some may be missing. Then it asks again.
 */
export async function codeLenses(uri: vscode.Uri): Promise<vscode.Command[]> {
  return eventually(async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      10,
    );
    const commands = lenses.flatMap(({ command }) => command ?? []);
    return commands.length === lenses.length ? commands : undefined;
  });
}
