import { type FSWatcher, watch } from 'node:fs';
import * as vscode from 'vscode';

/** More folders are not watched: each is something that the system has few of. */
const mostWatched = 500;

/**
 * Tells of what happens right in some folders, on Linux. There the editor's own watcher never sees what comes into a
 * folder that was made together with the one above it, as `git pull` and `mkdir -p` make them. On other systems it does,
 * and this watches nothing.
 */
export class FolderWatch implements vscode.Disposable {
  readonly #changed: (uri: vscode.Uri) => void;
  #watchers: FSWatcher[] = [];
  #isDisposed = false;

  /** @param changed is called with what has come, changed or gone, again and again while it is written */
  constructor(changed: (uri: vscode.Uri) => void) {
    this.#changed = changed;
  }

  /**
   * Watches these folders in place of those of before. A folder that was removed and made again is another one, so this
   * is called after each look, and who calls looks once more for what came meanwhile.
   */
  watch(folders: readonly vscode.Uri[]): void {
    this.#end();
    if (process.platform !== 'linux' || this.#isDisposed) return;
    const ours = folders.filter(({ scheme }) => scheme === 'file').slice(0, mostWatched);
    this.#watchers = ours.flatMap((folder) => this.#watched(folder) ?? []);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  #end(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  /** Undefined for a folder that is gone by now: the one above it tells when it comes again. */
  #watched(folder: vscode.Uri): FSWatcher | undefined {
    try {
      const watcher = watch(folder.fsPath, { persistent: false }, (_event, name) => {
        this.#changed(name === null ? folder : vscode.Uri.joinPath(folder, name));
      });
      return watcher.on('error', () => {
        watcher.close();
      });
    } catch {
      return undefined;
    }
  }
}
