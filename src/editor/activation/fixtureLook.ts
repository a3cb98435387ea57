import * as vscode from 'vscode';
import { type Clock, systemClock } from '../../model/processes/clock.ts';
import { fixtureGlob } from '../../suite/fixture/fixture.ts';

/** How long a window that has just started is left alone, in milliseconds. */
const searchDelayMs = 1000;

/**
 * Calls back once if the workspace has a fixture, or one is opened, since fixtures are shown as tests. Costs other
 * workspaces a single search, which ends with the first file found. The search starts a process, which blocks the
 * extension host for some 10 ms, so it waits until the window has started.
 */
export function whenFixture(callback: () => void, clock: Clock = systemClock): vscode.Disposable {
  const end = new vscode.CancellationTokenSource();
  const found = (): void => {
    if (end.token.isCancellationRequested) return;
    look.dispose();
    callback();
  };
  const opened = vscode.workspace.onDidOpenTextDocument((document) => {
    if (vscode.languages.match({ pattern: fixtureGlob }, document) > 0) found();
  });
  const search = (): void =>
    void vscode.workspace.findFiles(fixtureGlob, '**/{node_modules,.git}/**', 1, end.token).then(
      ({ length }) => {
        if (length > 0) found();
      },
      (error: unknown) => console.error(error),
    );
  const cancelSearch = clock.after(searchDelayMs, search);
  const look = new vscode.Disposable(() => {
    cancelSearch();
    end.cancel();
    opened.dispose();
  });
  return look;
}
