import * as vscode from 'vscode';
import { fixtureEnding } from '../../suite/fixture/fixture.ts';

/**
 * Calls back if the workspace has a fixture, or one is opened, since fixtures are shown as tests. Costs other
 * workspaces a single search, which ends with the first file found.
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
