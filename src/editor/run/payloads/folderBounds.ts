import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import type * as vscode from 'vscode';

/**
 * Whether something lies in a folder, links followed. For what is not there yet stands the nearest folder above it.
 * File systems of other programs have no links that lead out of them.
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
    // A link that leads to nothing leads nowhere within.
    const real = await realpath(at).catch(() => undefined);
    return real !== undefined && isBelow(root, real);
  }
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
