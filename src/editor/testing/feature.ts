import * as vscode from 'vscode';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { FixtureTests } from './fixtureTests.ts';
import type { Services } from '../kit/services.ts';
import { Turns } from '../../model/async/turns.ts';
import { isFixture } from '../../suite/fixture/fixture.ts';
import { isOfDependency, listFixtures } from '../deliveries/feature.ts';
import { type Log, logError } from '../log.ts';

/**
 * Registers fixtures as tests, in the Test view and at the lines of their files. The editor shows that view if there
 * are tests, so nothing is created before there is a fixture.
 */
export function registerTesting(services: Services): vscode.Disposable {
  let made: FixtureTests | undefined;
  const load = loadOnce(async () => {
    const { FixtureTests } = await import('./fixtureTests.ts');
    made = new FixtureTests(services, () => watch.list());
    return made.items;
  });
  const watch: FixtureWatch = new FixtureWatch(services.log, {
    has: (uri) => made?.items.has(uri) ?? false,
    show: async (uris) => {
      if (uris.length > 0) (await load()).show(uris);
      else made?.items.show(uris);
    },
    change: async (uri) => (await load()).change(uri),
  });
  return new vscode.Disposable(() => {
    watch.dispose();
    made?.dispose();
  });
}

/** Shows the fixtures of the workspace. */
interface FixturesShown {
  /** Whether a fixture is shown, or one within that folder. */
  has(uri: vscode.Uri): boolean;
  /** Shows exactly these. */
  show(uris: readonly vscode.Uri[]): Promise<void>;
  /** Shows a fixture as it is now. */
  change(uri: vscode.Uri): Promise<void>;
}

/**
 * Keeps what is shown of fixtures up to date. The editor does not report all files of a folder that was created
 * together with its parent, so they are listed again when one is opened or saved that is not shown.
 */
export class FixtureWatch implements vscode.Disposable {
  readonly #log: Log;
  readonly #shown: FixturesShown;
  readonly #turns = new Turns();
  /** A search that waits for its turn. */
  #due: Promise<void> | undefined;
  readonly #owned: vscode.Disposable;
  #isDisposed = false;

  constructor(log: Log, shown: FixturesShown) {
    this.#log = log;
    this.#shown = shown;
    const changed = (uri: vscode.Uri): void => {
      if (!isFixture(uri.path) || isOfDependency(uri)) return;
      if (shown.has(uri)) void this.#next(() => shown.change(uri));
      else void this.list();
    };
    const isOurs = (uri: vscode.Uri): boolean => vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const files = vscode.workspace.createFileSystemWatcher('**/*');
    this.#owned = vscode.Disposable.from(
      files,
      files.onDidCreate(changed),
      files.onDidChange(changed),
      // A removed folder is reported without what was in it.
      files.onDidDelete((uri) => shown.has(uri) && void this.list()),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => isOurs(uri) && !shown.has(uri) && changed(uri)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => isOurs(uri) && changed(uri)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.list()),
    );
    void this.list();
  }

  /** Searches the workspace, and shows what fixtures there are. */
  list(): Promise<void> {
    return (this.#due ??= this.#next(async () => {
      this.#due = undefined;
      await this.#shown.show(await listFixtures());
    }));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#owned.dispose();
  }

  #next(work: () => Promise<void>): Promise<void> {
    return this.#turns
      .next(async () => {
        if (!this.#isDisposed) await work();
      })
      .catch((error: unknown) => logError(this.#log, error));
  }
}
