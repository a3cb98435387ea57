import * as vscode from 'vscode';

type FindFiles = typeof vscode.workspace.findFiles;

/** Searches for files in another way while `run` runs, where code of a test asks for it, and not the extension. */
export async function searchBy(search: FindFiles, run: () => void | Promise<void>): Promise<void> {
  const { findFiles } = vscode.workspace;
  // Both share the module `vscode`. The extension's bundles are named so, those of the tests are not.
  const isOfExtension = () => new Error().stack?.includes('.cjs:') === true;
  const chosen: FindFiles = (...asked) => (isOfExtension() ? findFiles : search)(...asked);
  Object.assign(vscode.workspace, { findFiles: chosen });
  try {
    await run();
  } finally {
    Object.assign(vscode.workspace, { findFiles });
  }
}

/** Counts the searches for files while `run` runs. Each starts a process. */
export async function countSearches(run: (count: () => number) => void | Promise<void>): Promise<void> {
  const { findFiles } = vscode.workspace;
  let searches = 0;
  const counted: FindFiles = (...asked) => {
    searches += 1;
    return findFiles(...asked);
  };
  await searchBy(counted, () => run(() => searches));
}
