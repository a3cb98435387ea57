import * as vscode from 'vscode';
import { fixtureEnding } from '../../suite/fixture/fixture.ts';

/**
 * Calls back once if the workspace has a fixture, or one is opened, since fixtures are shown as tests. Costs other
 * workspaces a single search, which ends with the first file found.
 */
export function whenFixture(callback: () => void): vscode.Disposable {
  let isOver = false;
  const found = (): void => {
    if (isOver) return;
    look.dispose();
    callback();
  };
  const opened = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
    if (uri.path.endsWith(fixtureEnding)) found();
  });
  const look = new vscode.Disposable(() => {
    isOver = true;
    opened.dispose();
  });
  vscode.workspace.findFiles(`**/*${fixtureEnding}`, '**/{node_modules,.git}/**', 1).then(
    ({ length }) => {
      if (length > 0) found();
    },
    (error: unknown) => console.error(error),
  );
  return look;
}
