import * as vscode from 'vscode';
import { inParallel } from '../../../model/async/inParallel.ts';
import { type PayloadAddress, payloadAddress } from '../../../model/payloads/payloadAddress.ts';

/** A longer file is for the app of its folder, as far as the view knows, in bytes. */
const longest = 256 * 1024;
/** So much is read at a time of all files together, in bytes. */
const mostInAll = 16 * 1024 * 1024;

interface Known {
  mtime: number;
  size: number;
  address: PayloadAddress;
}

/** Whom payload files say they are for. A file is read once, and again when it has changed. */
export class PayloadAddresses {
  #known = new Map<string, Known>();

  /** What is known without reading any. */
  known(uri: vscode.Uri): PayloadAddress {
    return this.#known.get(uri.toString())?.address ?? {};
  }

  /** Reads those that are new or have changed, and forgets all others. */
  async read(files: readonly vscode.Uri[]): Promise<void> {
    let left = mostInAll;
    const known = new Map<string, Known>();
    await inParallel(files, async (uri) => {
      try {
        const { mtime, size } = await vscode.workspace.fs.stat(uri);
        const before = this.#known.get(uri.toString());
        if (before?.mtime === mtime && before.size === size) {
          known.set(uri.toString(), before);
          return;
        }
        if (size > longest || size > left) return;
        left -= size;
        const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
        known.set(uri.toString(), { mtime, size, address: payloadAddress(text) });
      } catch (error) {
        // Gone meanwhile, or not to be read: the watcher tells of the one, and who runs it of the other.
        if (!(error instanceof vscode.FileSystemError)) throw error;
      }
    });
    this.#known = known;
  }
}
