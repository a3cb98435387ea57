import * as vscode from 'vscode';

/** A link at the top of a document. @param title may begin with an icon */
export function topLens(command: string, title: string, given: readonly unknown[]): vscode.CodeLens {
  // The editor drops a usual space after an icon.
  const spaced = title.replace(/^(\$\([\w~-]+\)) /, '$1\u00a0');
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { command, title: spaced, arguments: [...given] });
}
