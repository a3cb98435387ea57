import * as vscode from 'vscode';

/** A link at the top of a document. @param title may begin with an icon @param tooltip the whole of a title that is cut */
export function topLens(
  command: string,
  title: string,
  given: readonly unknown[],
  tooltip = '',
): vscode.CodeLens {
  // The editor drops a usual space after an icon.
  const spaced = title.replace(/^(\$\([\w~-]+\)) /, '$1\u00a0');
  const shown = { command, title: spaced, arguments: [...given], ...(tooltip !== '' && { tooltip }) };
  return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), shown);
}
