import * as vscode from 'vscode';
import { fixtureGlob } from '../../suite/fixture/fixture.ts';
import { isOfDependency, listFixtures } from '../deliveries/feature.ts';
import { FolderWatch } from '../folderWatch.ts';
import { type Log, logError } from '../log.ts';

/** Is told of the fixtures of the workspace. */
export interface FixtureWatcher {
  /** These are there, and no others. */
  found(uris: readonly vscode.Uri[]): Promise<void>;
  changed(change: 'add' | 'change' | 'remove', uri: vscode.Uri): Promise<void>;
}

/** A folder that comes is looked into once it had time to be filled. */
const lookAgainMs = 150;

/** What comes here may be a folder of fixtures that the editor does not tell of. */
const keptFixtures = '**/.runhook{,/fixtures{,/*}}';

/** Looks for the fixtures of the workspace, and tells of those that come, change and go. */
export class FixtureWatch implements vscode.Disposable {
  readonly #log: Log;
  readonly #watcher: FixtureWatcher;
  readonly #folders: FolderWatch;
  /** What was written in the folders of fixtures since they were looked into. */
  readonly #written = new Set<string>();
  readonly #owned: vscode.Disposable;
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  /** Whether what is being listed may be older than what there is. */
  #isDue = false;
  #isDisposed = false;

  constructor(log: Log, watcher: FixtureWatcher) {
    this.#log = log;
    this.#watcher = watcher;
    this.#folders = new FolderWatch((uri) => {
      this.#written.add(uri.toString());
      this.#lookSoon();
    });
    const changed = (change: 'add' | 'change' | 'remove') => (uri: vscode.Uri) => {
      if (isOfDependency(uri)) return;
      this.#isDue ||= this.#isLooking;
      this.#inBackground(watcher.changed(change, uri));
    };
    const lookSoon = () => {
      this.#lookSoon();
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
      kept.onDidCreate(lookSoon),
      // What is removed and made again at once is told of as changed.
      kept.onDidChange(lookSoon),
      kept.onDidDelete(lookSoon),
      vscode.workspace.onDidChangeWorkspaceFolders(lookSoon),
    );
    this.#look();
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#owned.dispose();
  }

  #lookSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#look();
    }, lookAgainMs);
  }

  #look(): void {
    this.#isDue = true;
    if (!this.#isLooking) this.#inBackground(this.#lookWhileDue());
  }

  async #lookWhileDue(): Promise<void> {
    this.#isLooking = true;
    try {
      while (this.#isDue && !this.#isDisposed) {
        this.#isDue = false;
        await this.#lookOnce();
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookOnce(): Promise<void> {
    this.#folders.watch(foldersOf(await listFixtures()));
    // With what came before they were watched.
    const found = await listFixtures();
    const written = found.filter((uri) => this.#written.has(uri.toString()));
    this.#written.clear();
    await this.#watcher.found(found);
    for (const uri of written) await this.#watcher.changed('change', uri);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      logError(this.#log, error);
    });
  }
}

/**
 * The folders that fixtures are in, and those above them up to that of the workspace. The one that fixtures are saved in is
 * among them before there is one in it.
 */
function foldersOf(fixtures: readonly vscode.Uri[]): vscode.Uri[] {
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
  return [...folders.values()];
}
