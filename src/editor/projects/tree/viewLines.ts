import type * as vscode from 'vscode';

/** What another feature shows below the projects of the Projects view: that it failed, for instance. */
export interface ViewLines {
  readonly onDidChange: vscode.Event<unknown>;
  all(): vscode.TreeItem[];
}
