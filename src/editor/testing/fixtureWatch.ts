import * as vscode from 'vscode';
import { fixtureGlob } from '../../suite/fixture/fixture.ts';
import { isOfDependency, listFixtures } from '../deliveries/feature.ts';
import { FolderWatch } from '../folderWatch.ts';
import { type Log, logError } from '../log.ts';

/** Receives the fixtures of the workspace and their changes. */
export interface FixtureWatcher {
  /** The complete list of fixtures. */
  found(uris: readonly vscode.Uri[]): Promise<void>;
  changed(change: 'add' | 'change' | 'remove', uri: vscode.Uri): Promise<void>;
}

/** Delay before a scan, in milliseconds, so that a new folder has time to be filled. */
const scanDelayMs = 150;

/** A new entry here may be a folder of fixtures that the editor does not report. */
const keptFixtures = '**/.runhook{,/fixtures{,/*}}';

/** Scans the workspace for fixtures and reports those that are added, changed or removed. */
export class FixtureWatch implements vscode.Disposable {
  readonly #log: Log;
  readonly #watcher: FixtureWatcher;
  readonly #folders: FolderWatch;
  #found: readonly vscode.Uri[] = [];
  /** URIs written in the watched folders since the last scan. */
  readonly #written = new Set<string>();
  readonly #owned: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #isScanning = false;
  /** Whether another scan is needed: the running one may have missed a change. */
  #isScanDue = false;
  #isDisposed = false;

  constructor(log: Log, watcher: FixtureWatcher) {
    this.#log = log;
    this.#watcher = watcher;
    this.#folders = new FolderWatch((uri) => {
      this.#written.add(uri.toString());
      this.#scanSoon();
    });
    const changed = (change: 'add' | 'change' | 'remove') => (uri: vscode.Uri) => {
      if (isOfDependency(uri)) return;
      this.#isScanDue ||= this.#isScanning;
      this.#inBackground(watcher.changed(change, uri));
    };
    const scanSoon = () => {
      this.#scanSoon();
    };
    const files = vscode.workspace.createFileSystemWatcher(fixtureGlob);
    const kept = vscode.workspace.createFileSystemWatcher(keptFixtures);
    this.#owned = vscode.Disposable.from(
      this.#folders,
      files,
      files.onDidCreate(changed('add')),
      files.onDidChange(changed('change')),
      files.onDidDelete(changed('remove')),
      kept,
      kept.onDidCreate(scanSoon),
      // An entry that is removed and recreated at once is reported as changed.
      kept.onDidChange(scanSoon),
      kept.onDidDelete(scanSoon),
      vscode.workspace.onDidChangeWorkspaceFolders(scanSoon),
    );
    this.#scan();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #scanSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#scan();
    }, scanDelayMs);
  }

  #scan(): void {
    this.#isScanDue = true;
    if (!this.#isScanning) this.#inBackground(this.#scanWhileDue());
  }

  async #scanWhileDue(): Promise<void> {
    this.#isScanning = true;
    try {
      while (this.#isScanDue && !this.#isDisposed) {
        this.#isScanDue = false;
        await this.#scanOnce();
      }
    } finally {
      this.#isScanning = false;
    }
  }

  async #scanOnce(): Promise<void> {
    const watched = foldersOf(this.#found);
    this.#folders.watch([...watched.values()]);
    this.#found = await listFixtures();
    if (this.#isDisposed) return;
    // A folder that is not watched yet may get another file unnoticed.
    this.#isScanDue ||= [...foldersOf(this.#found).keys()].some((name) => !watched.has(name));
    const written = this.#found.filter((uri) => this.#written.has(uri.toString()));
    this.#written.clear();
    await this.#watcher.found(this.#found);
    for (const uri of written) await this.#watcher.changed('change', uri);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      logError(this.#log, error);
    });
  }
}

/**
 * The folders that contain fixtures, and their parents within the workspace folder, by URI. Always includes the
 * default folder for saved fixtures, even without a fixture in it.
 */
function foldersOf(fixtures: readonly vscode.Uri[]): ReadonlyMap<string, vscode.Uri> {
  const folders = new Map<string, vscode.Uri>();
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const path of ['.runhook', '.runhook/fixtures']) {
      const folder = vscode.Uri.joinPath(uri, path);
      folders.set(folder.toString(), folder);
    }
  }
  for (const fixture of fixtures) {
    const top = vscode.workspace.getWorkspaceFolder(fixture)?.uri.path.length ?? Infinity;
    for (
      let at = vscode.Uri.joinPath(fixture, '..');
      at.path.length > top;
      at = vscode.Uri.joinPath(at, '..')
    )
      folders.set(at.toString(), at);
  }
  return folders;
}
