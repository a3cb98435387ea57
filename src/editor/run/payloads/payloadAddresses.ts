import * as vscode from 'vscode';
import { inParallel } from '../../../model/async/inParallel.ts';
import { type PayloadAddress, payloadAddress } from '../../../model/payloads/payloadAddress.ts';
import { textOfFile } from '../../../model/text/textOfFile.ts';
import { UserError } from '../../../model/text/userError.ts';

/** The longest file that is read, in bytes. The view shows a longer one under the app of its folder. */
const longest = 256 * 1024;
/** How much is read from all files together in one pass, in bytes. */
const mostInAll = 16 * 1024 * 1024;

interface Known {
  mtime: number;
  size: number;
  address: PayloadAddress;
}

/** The apps and projects that payload files name. A file is read once, and again when it has changed. */
export class PayloadAddresses {
  #known = new Map<string, Known>();

  /** The cached address of a file; empty if the file has not been read. */
  known(uri: vscode.Uri): PayloadAddress {
    return this.#known.get(uri.toString())?.address ?? {};
  }

  /** Reads the files that are new or have changed, and drops unlisted files from the cache. */
  async read(files: readonly vscode.Uri[]): Promise<void> {
    let bytesLeft = mostInAll;
    const known = new Map<string, Known>();
    await inParallel(files, async (uri) => {
      try {
        const { mtime, size } = await vscode.workspace.fs.stat(uri);
        const cached = this.#known.get(uri.toString());
        if (cached?.mtime === mtime && cached.size === size) {
          known.set(uri.toString(), cached);
          return;
        }
        if (size > longest || size > bytesLeft) return;
        bytesLeft -= size;
        const text = textOfFile(await vscode.workspace.fs.readFile(uri));
        known.set(uri.toString(), { mtime, size, address: payloadAddress(text) });
      } catch (error) {
        // Either deleted meanwhile, which the watcher reports, or not readable, which is reported when it is run.
        if (!(error instanceof vscode.FileSystemError || error instanceof UserError)) throw error;
      }
    });
    this.#known = known;
  }
}
