import * as vscode from 'vscode';
import type { Services } from '../kit/services.ts';
import { Turns } from '../../shared/async/turns.ts';
import { t } from '../../shared/text/l10n.ts';
import { testControllerId } from '../kit/ids.ts';
import { isFixture } from '../../suite/fixture/fixture.ts';
import { isOfDependency, listFixtures } from '../deliveries/feature.ts';
import { type Log, logError } from '../kit/log.ts';
import { DebuggedApp } from '../debug/feature.ts';
import { FixtureItems } from './fixtureItems.ts';
import { FixtureRuns } from './fixtureRuns.ts';
import { TestTargets } from './testTargets.ts';

/**
 * Registers fixtures as tests, in the Test view and at the lines of their files. The editor shows that view if there
 * are tests, so nothing is created before there is a fixture.
 */
export function registerTesting(services: Services): vscode.Disposable {
  let made: ReturnType<typeof fixtureTests> | undefined;
  const items = (): FixtureItems => (made ??= fixtureTests(services, () => watch.list())).items;
  const watch: FixtureWatch = new FixtureWatch(services.log, {
    has: (uri) => made?.items.has(uri) ?? false,
    show: async (uris) => (uris.length > 0 ? items() : made?.items)?.show(uris),
    change: (uri) => items().change(uri),
  });
  return new vscode.Disposable(() => {
    watch.dispose();
    made?.dispose();
  });
}

/**
 * The fixtures of the workspace in the Test view, with the profiles that run and debug them.
 * @param list shows what fixtures there are: the editor may not have reported all changes
 */
function fixtureTests({ context, listener, prompts, errors, log }: Services, list: () => Promise<void>) {
  const memento = context.workspaceState;
  const controller = vscode.tests.createTestController(testControllerId, t('Webhook Fixtures'));
  const items = new FixtureItems(controller);
  const targets = new TestTargets({ listener, prompts, memento });
  const app = new DebuggedApp({ prompts, memento });
  const runs = new FixtureRuns({ controller, items, targets, app, errors, log });
  const { Run, Debug, Coverage } = vscode.TestRunProfileKind;
  const listed =
    (run: FixtureRuns['run']): FixtureRuns['run'] =>
    async (request, token) => {
      if (request.include === undefined) await list();
      await run(request, token);
    };
  const run = controller.createRunProfile(t('Send Fixtures'), Run, listed(runs.run), true, undefined, true);
  run.configureHandler = () => runs.configure(t('Send Fixtures To'), () => targets.choose());
  const debug = controller.createRunProfile(t('Debug the Handler'), Debug, listed(runs.debug), true);
  debug.configureHandler = () => runs.configure(t('Debug the Handler'), () => app.choose());
  const cover = controller.createRunProfile(t('Coverage of the Handler'), Coverage, listed(runs.cover), true);
  cover.configureHandler = () => runs.configure(t('Coverage of the Handler'), () => app.chooseStart());
  const details = async (file: vscode.FileCoverage, item?: vscode.TestItem) =>
    (await import('./handlerCoverage.ts')).detailsOf(file, item);
  cover.loadDetailedCoverage = (_, file) => details(file);
  cover.loadDetailedCoverageForTest = (_, file, item) => details(file, item);
  // The Test view is shown.
  controller.resolveHandler = list;
  controller.refreshHandler = list;
  const owned = vscode.Disposable.from(controller, app, runs);
  return { items, dispose: () => void owned.dispose() };
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
