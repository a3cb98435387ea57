import * as vscode from 'vscode';
import { type FileText, longestText } from '../../leaks/fileText.ts';

/** The text of a file as open in the editor, saved or not; undefined if the file is not open. */
export function openText(path: string): FileText | undefined {
  const isIt = ({ uri }: vscode.TextDocument) => uri.scheme === 'file' && uri.fsPath === path;
  const text = vscode.workspace.textDocuments.find(isIt)?.getText();
  if (text === undefined) return undefined;
  return text.length > longestText ? { kind: 'tooLarge' } : { kind: 'text', text };
}
