import * as vscode from 'vscode';
import { inParallel } from '../../../model/async/inParallel.ts';
import { nameOfFile } from '../../../model/payloads/payloadName.ts';
import { suffixes } from '../../ids.ts';
import { orUndefined } from '../../orUndefined.ts';

/** How many payload files of a folder are listed, and how many of its subfolders are searched. */
export const mostPayloads = 2000;

/** A payload of the workspace, known by its path only. */
export interface FoundPayload {
  uri: vscode.Uri;
  name: string;
  /** The name of its subfolder; absent if it is in none. */
  appName?: string;
}

export interface FolderPayloads {
  payloads: FoundPayload[];
  /** The folders that were searched. */
  folders: vscode.Uri[];
  /** Whether there are more payloads or subfolders than the limit. */
  isCut: boolean;
}

/** Lists the payloads in a folder, `<app>/<name>.payload.json`, by name only. Follows no links. */
export async function folderPayloads(root: vscode.Uri): Promise<FolderPayloads> {
  const entries = await entriesOf(root);
  const folders = entries
    .filter(([, type]) => type === vscode.FileType.Directory)
    .map(([name]) => ({ uri: vscode.Uri.joinPath(root, name), appName: nameOfFile(name) }));
  const visited = folders.slice(0, mostPayloads);
  const below = await inParallel(visited, async ({ uri, appName }) =>
    payloadsOf(uri, await entriesOf(uri), appName),
  );
  const all = [...payloadsOf(root, entries), ...below.flat()];
  return {
    payloads: all.slice(0, mostPayloads),
    folders: [root, ...visited.map(({ uri }) => uri)],
    isCut: Math.max(all.length, folders.length) > mostPayloads,
  };
}

function payloadsOf(folder: vscode.Uri, entries: Entries, appName?: string): FoundPayload[] {
  return entries
    .filter(([file, type]) => type === vscode.FileType.File && file.endsWith(suffixes.payload))
    .slice(0, mostPayloads + 1)
    .map(([file]) => ({
      uri: vscode.Uri.joinPath(folder, file),
      name: nameOfFile(file.slice(0, -suffixes.payload.length)),
      ...(appName !== undefined && { appName }),
    }));
}

type Entries = readonly [name: string, type: vscode.FileType][];

/** The entries of a folder; none if it does not exist, or no longer does. */
async function entriesOf(folder: vscode.Uri): Promise<Entries> {
  try {
    return (await orUndefined(vscode.workspace.fs.readDirectory(folder))) ?? [];
  } catch (error) {
    // The path is a file, or the folder is not readable: either way there is nothing to show.
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}
