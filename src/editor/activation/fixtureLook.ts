import * as vscode from 'vscode';
import { fixtureEnding } from '../../suite/fixture/fixture.ts';

/** How long a window that has just started is left alone, in milliseconds. */
const searchDelayMs = 1000;

/**
 * Calls back once if the workspace has a fixture, or one is opened, since fixtures are shown as tests. Costs other
 * workspaces a single search, which ends with the first file found. The search starts a process, which blocks the
 * extension host for some 10 ms, so it waits until the window has started.
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
    clearTimeout(timer);
    opened.dispose();
  });
  const search = (): void =>
    void vscode.workspace.findFiles(`**/*${fixtureEnding}`, '**/{node_modules,.git}/**', 1).then(
      ({ length }) => {
        if (length > 0) found();
      },
      (error: unknown) => console.error(error),
    );
  const timer = setTimeout(search, searchDelayMs);
  return look;
}
