import * as vscode from 'vscode';

type FindFiles = typeof vscode.workspace.findFiles;

/** Counts the searches for files that this bundle makes while `run` runs. Each starts a process. */
export async function countSearches(run: (count: () => number) => void | Promise<void>): Promise<void> {
  const { findFiles } = vscode.workspace;
  let searches = 0;
  const counted: FindFiles = (...asked) => {
    searches += 1;
    return findFiles(...asked);
  };
  Object.assign(vscode.workspace, { findFiles: counted });
  try {
    await run(() => searches);
  } finally {
    Object.assign(vscode.workspace, { findFiles });
  }
}
