import { writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { makeFolderAsync } from '../../../shared/files/makeFolder.ts';
import { orUndefined } from '../../kit/files.ts';

const ending = '.json';

/** What is stored of a draft. */
export interface StoredDraft {
  bytes: Uint8Array;
  /** When it was last saved, in Unix milliseconds. */
  mtime: number;
}

/** Stores the text of drafts by the ids of their deliveries. They survive a reload. */
export class DraftStore {
  readonly #folder: vscode.Uri;

  /** @param storage the storage folder of the extension for this workspace, or the global one without a workspace */
  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'drafts');
  }

  /** Undefined if there is no stored draft. */
  async read(id: string): Promise<StoredDraft | undefined> {
    const file = this.#file(id);
    const stat = await orUndefined(vscode.workspace.fs.stat(file));
    const bytes = stat && (await orUndefined(vscode.workspace.fs.readFile(file)));
    return stat && bytes && { bytes, mtime: stat.mtime };
  }

  /** Does not go by way of the editor, which writes no files any more while its window closes. */
  async write(id: string, bytes: Uint8Array): Promise<void> {
    await makeFolderAsync(this.#folder.fsPath);
    await writeFile(this.#file(id).fsPath, bytes);
  }

  async delete(id: string): Promise<void> {
    await orUndefined(vscode.workspace.fs.delete(this.#file(id)));
  }

  /** The ids of the deliveries that have drafts. */
  async ids(): Promise<string[]> {
    const entries = (await orUndefined(vscode.workspace.fs.readDirectory(this.#folder))) ?? [];
    return entries.map(([name]) => decodeURIComponent(name.slice(0, -ending.length)));
  }

  /** Deletes all drafts. */
  async erase(): Promise<void> {
    await orUndefined(vscode.workspace.fs.delete(this.#folder, { recursive: true, useTrash: false }));
  }

  #file(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${encodeURIComponent(id)}${ending}`);
  }
}
