import * as vscode from 'vscode';
import { inParallel } from '../../../model/async/inParallel.ts';
import { nameOfFile } from '../../../model/payloads/payloadName.ts';
import { suffixes } from '../../ids.ts';
import { ifThere } from '../../ifThere.ts';

/** More files of a folder are not looked at. */
export const mostPayloads = 2000;

/** A payload of the workspace by its path alone. */
export interface FoundPayload {
  uri: vscode.Uri;
  name: string;
  /** The name of the folder that it is in; absent for one that is in none. */
  appName?: string;
}

export interface FolderPayloads {
  payloads: FoundPayload[];
  /** Those that were looked into. */
  folders: vscode.Uri[];
  /** Whether there are more of them than are looked at. */
  isCut: boolean;
}

/** The payloads in a folder, `<app>/<name>.payload.json`: their names alone. No link is followed. */
export async function folderPayloads(root: vscode.Uri): Promise<FolderPayloads> {
  const entries = await entriesOf(root);
  const folders = entries
    .filter(([, type]) => type === vscode.FileType.Directory)
    .map(([name]) => ({ uri: vscode.Uri.joinPath(root, name), appName: nameOfFile(name) }));
  const looked = folders.slice(0, mostPayloads);
  const below = await inParallel(looked, async ({ uri, appName }) =>
    payloadsOf(uri, await entriesOf(uri), appName),
  );
  const all = [...payloadsOf(root, entries), ...below.flat()];
  return {
    payloads: all.slice(0, mostPayloads),
    folders: [root, ...looked.map(({ uri }) => uri)],
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

/** None where there is no such folder, or no more. */
async function entriesOf(folder: vscode.Uri): Promise<Entries> {
  try {
    return (await ifThere(vscode.workspace.fs.readDirectory(folder))) ?? [];
  } catch (error) {
    // A file stands where the folder would be, or it may not be read: either way there is nothing to show.
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}
