import * as vscode from 'vscode';
import { loadOnce } from '../../model/async/loadOnce.ts';
import type { FixtureTests, TestingFeature } from './fixtureTests.ts';
import { FixtureWatch } from './fixtureWatch.ts';

/**
 * Registers fixtures as tests, in the Test view and at the lines of their files. The editor shows that view if there
 * are tests, so nothing is created before there is a fixture.
 */
export function registerTesting(feature: TestingFeature): vscode.Disposable {
  let made: FixtureTests | undefined;
  const load = loadOnce(async () => {
    const { FixtureTests } = await import('./fixtureTests.ts');
    made = new FixtureTests(feature, () => watch.list());
    return made.items;
  });
  const watch: FixtureWatch = new FixtureWatch(feature.log, {
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
