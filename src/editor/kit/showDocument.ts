import * as vscode from 'vscode';

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
