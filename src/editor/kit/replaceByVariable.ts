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
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const textOf = (from: number, to: number) =>
    document.getText(new vscode.Range(document.positionAt(Math.max(0, from)), document.positionAt(to)));
  const around = [textOf(start - 1, start), textOf(end, end + 1)] as const;
  const { text, withQuotes } = environmentReference(name, document.languageId, around);
  const wider = new vscode.Range(document.positionAt(start - 1), document.positionAt(end + 1));
  const edit = new vscode.WorkspaceEdit();
  const line = document.lineAt(range.start);
  const withoutValue = line.text.slice(0, range.start.character) + line.text.slice(range.end.character);
  const setsOnlyIt = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=[\\s"']*(?:#.*)?$`);
  if (!withQuotes && setsOnlyIt.test(withoutValue)) {
    edit.delete(document.uri, line.rangeIncludingLineBreak);
    return { edit, text: '' };
  }
  edit.replace(document.uri, withQuotes ? wider : range, text);
  return { edit, text };
}
