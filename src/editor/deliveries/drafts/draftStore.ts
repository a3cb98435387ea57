import * as vscode from 'vscode';
import { ifThere } from '../../ifThere.ts';

const ending = '.json';

/** What is stored of a draft. */
export interface StoredDraft {
  bytes: Uint8Array;
  /** When it was last typed into, in Unix milliseconds. */
  mtime: number;
}

/** What was typed into drafts, by the ids of their deliveries: it is there after a reload too. */
export class DraftStore {
  readonly #folder: vscode.Uri;

  /** @param storage of the extension, for this workspace where there is one */
  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'drafts');
  }

  /** Undefined where nothing was typed. */
  async read(id: string): Promise<StoredDraft | undefined> {
    const file = this.#file(id);
    const stat = await ifThere(vscode.workspace.fs.stat(file));
    const bytes = stat && (await ifThere(vscode.workspace.fs.readFile(file)));
    return stat && bytes && { bytes, mtime: stat.mtime };
  }

  async write(id: string, bytes: Uint8Array): Promise<void> {
    await vscode.workspace.fs.writeFile(this.#file(id), bytes);
  }

  async delete(id: string): Promise<void> {
    await ifThere(vscode.workspace.fs.delete(this.#file(id)));
  }

  /** The deliveries that there are drafts of. */
  async ids(): Promise<string[]> {
    const entries = (await ifThere(vscode.workspace.fs.readDirectory(this.#folder))) ?? [];
    return entries.map(([name]) => decodeURIComponent(name.slice(0, -ending.length)));
  }

  /** Deletes all of them. */
  async erase(): Promise<void> {
    await ifThere(vscode.workspace.fs.delete(this.#folder, { recursive: true, useTrash: false }));
  }

  #file(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, `${encodeURIComponent(id)}${ending}`);
  }
}
