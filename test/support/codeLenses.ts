import * as vscode from 'vscode';
import { eventually } from './inEditor.ts';

/**
 * What the links of a document do, from its top down. VS Code forgets their commands a moment after it was asked for
 * them: where a busy machine has not handed them over until then, it is asked again.
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
