import * as vscode from 'vscode';
import { fixtureEnding } from '../../suite/fixture/fixture.ts';

/**
 * Calls back where the workspace has a fixture, or one is opened: it is shown as a test. One search, that ends with the
 * first file found, is all that other workspaces pay.
 */
export function whenFixture(callback: () => void): vscode.Disposable {
  const opened = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
    if (!uri.path.endsWith(fixtureEnding)) return;
    opened.dispose();
    callback();
  });
  vscode.workspace.findFiles(`**/*${fixtureEnding}`, '**/{node_modules,.git}/**', 1).then(
    (found) => {
      if (found.length > 0) callback();
    },
    (error: unknown) => console.error(error),
  );
  return opened;
}
