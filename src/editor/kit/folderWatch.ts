import { type FSWatcher, watch } from 'node:fs';
import * as vscode from 'vscode';

/** The most folders to watch: each one uses a limited resource of the system. */
const maxWatched = 500;

/**
 * Reports changes directly in some folders, on Linux. There the editor's own watcher misses entries of a folder that
 * was created together with its parent, as `git pull` and `mkdir -p` do. On other systems it reports them, and this
 * class watches nothing.
 */
export class FolderWatch implements vscode.Disposable {
  readonly #changed: (uri: vscode.Uri) => void;
  #watchers: FSWatcher[] = [];
  #isDisposed = false;

  /** @param changed is called with an added, changed or removed entry, repeatedly while a file is written */
  constructor(changed: (uri: vscode.Uri) => void) {
    this.#changed = changed;
  }

  /**
   * Watches these folders instead of the previous ones. A watcher does not follow a folder that is removed and
   * recreated, so this is called after each scan, and the caller scans once more for entries added meanwhile.
   */
  watch(folders: readonly vscode.Uri[]): void {
    this.#end();
    if (process.platform !== 'linux' || this.#isDisposed) return;
    const ours = folders.filter(({ scheme }) => scheme === 'file').slice(0, maxWatched);
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

  /** Undefined if the folder is gone by now. The watcher of its parent reports when it comes back. */
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
