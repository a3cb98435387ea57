import * as vscode from 'vscode';
import { t } from '../../model/text/l10n.ts';
import { testControllerId } from '../ids.ts';
import type { Services } from '../kit/services.ts';
import { DebuggedApp } from './debuggedApp.ts';
import { FixtureItems } from './fixtureItems.ts';
import { FixtureRuns } from './fixtureRuns.ts';
import { TestTargets } from './testTargets.ts';

/** The fixtures of the workspace in the Test view, with the profiles that run and debug them. */
export class FixtureTests implements vscode.Disposable {
  readonly items: FixtureItems;
  readonly runs: FixtureRuns;
  readonly #owned: vscode.Disposable;

  /** @param list shows what fixtures there are: the editor may not have reported all changes */
  constructor({ context, listener, prompts, errors, log }: Services, list: () => Promise<void>) {
    const memento = context.workspaceState;
    const controller = vscode.tests.createTestController(testControllerId, t('Webhook Fixtures'));
    this.items = new FixtureItems(controller);
    const targets = new TestTargets(listener, prompts, memento);
    const app = new DebuggedApp(prompts, memento);
    this.runs = new FixtureRuns({ controller, items: this.items, targets, app, errors, log });
    const { Run, Debug } = vscode.TestRunProfileKind;
    const listed =
      (run: FixtureRuns['run']): FixtureRuns['run'] =>
      async (request, token) => {
        if (request.include === undefined) await list();
        await run(request, token);
      };
    const sends = listed(this.runs.run);
    const run = controller.createRunProfile(t('Send Fixtures'), Run, sends, true, undefined, true);
    run.configureHandler = () => this.runs.configure(t('Send Fixtures To'), () => targets.choose());
    const debug = controller.createRunProfile(t('Debug the App'), Debug, listed(this.runs.debug), true);
    debug.configureHandler = () => this.runs.configure(t('Debug the App'), () => app.choose());
    // Without an item: the Test view is shown.
    controller.resolveHandler = (item) => (item === undefined ? list() : this.items.read(item));
    controller.refreshHandler = list;
    this.#owned = vscode.Disposable.from(controller, this.items, app, this.runs);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
