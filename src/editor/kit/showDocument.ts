import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';

/** Settles once the document that was asked for last is shown. */
let shown: PromiseLike<unknown> = Promise.resolve();

/**
 * Shows a document in an editor, after those that were asked for before: the editor may open neither of two at one
 * moment, as a delivery that is clicked while a response arrives.
 * @throws Error if it cannot be read, or somebody opens another file at that moment
 */
export function showDocument(
  uri: vscode.Uri,
  options?: vscode.TextDocumentShowOptions,
): Promise<vscode.TextEditor> {
  const editor = Promise.resolve(shown).then(() => vscode.window.showTextDocument(uri, options));
  shown = editor.catch(() => undefined);
  return editor;
}

/** The column of a tab that shows such a document. */
export function columnOf(isIt: (uri: vscode.Uri) => boolean): vscode.ViewColumn | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && isIt(input.uri)),
  )?.viewColumn;
}

/** Compares two documents. The title says where they are the same: nothing else in the editor does. */
export async function showDifferences(first: vscode.Uri, second: vscode.Uri, title: string): Promise<void> {
  const [one, other] = await Promise.all(
    [first, second].map((uri) => vscode.workspace.openTextDocument(uri)),
  );
  const isSame = one?.getText() === other?.getText();
  const said = isSame ? t('No Differences: {0}', title) : title;
  await vscode.commands.executeCommand('vscode.diff', first, second, said);
}
