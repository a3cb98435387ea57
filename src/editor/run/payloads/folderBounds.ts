import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import type * as vscode from 'vscode';

/**
 * Whether a file or folder lies in a folder, links followed. If it does not exist, its nearest existing parent is
 * checked. Schemes other than `file` always pass: their file systems have no links that lead out of them.
 */
export async function liesWithin(uri: vscode.Uri, folder: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return true;
  const root = await realpath(folder.fsPath);
  for (let at = uri.fsPath; ; at = dirname(at)) {
    const isFound = await lstat(at).then(
      () => true,
      () => false,
    );
    if (!isFound && at !== dirname(at)) continue;
    // A broken link does not count as within the folder.
    const real = await realpath(at).catch(() => undefined);
    return real !== undefined && isBelow(root, real);
  }
}

function isBelow(root: string, path: string): boolean {
  const relativePath = relative(root, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}
