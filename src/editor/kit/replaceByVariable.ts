import * as vscode from 'vscode';
import { environmentReference } from './environmentReference.ts';

/**
 * The edit that replaces a value with a reference to an environment variable, and the text of that reference. The
 * text is empty where a line only sets the variable itself: `X=$X` would be empty, so the edit deletes the line.
 */
export function replaceByVariable(
  document: vscode.TextDocument,
  range: vscode.Range,
  name: string,
): { edit: vscode.WorkspaceEdit; text: string } {
  const line = document.lineAt(range.start);
  const before = line.text.slice(0, range.start.character);
  const after = document.lineAt(range.end).text.slice(range.end.character);
  const { text, withQuotes } = environmentReference(name, document.languageId, before, after);
  const [left, right] = withQuotes.map(Number) as [number, number];
  const wider = new vscode.Range(range.start.translate(0, -left), range.end.translate(0, right));
  const edit = new vscode.WorkspaceEdit();
  const withoutValue = line.text.slice(0, range.start.character) + line.text.slice(range.end.character);
  const setsOnlyIt = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=[\\s"']*(?:#.*)?$`);
  if (!withQuotes.includes(true) && setsOnlyIt.test(withoutValue)) {
    edit.delete(document.uri, line.rangeIncludingLineBreak);
    return { edit, text: '' };
  }
  edit.replace(document.uri, wider, text);
  return { edit, text };
}
