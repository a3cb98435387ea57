import * as vscode from 'vscode';
import { loadOnce } from '../../model/async/loadOnce.ts';
import { isOfDependency, listFixtures } from '../deliveries/feature.ts';
import { fixtureGlob } from '../../suite/fixture/fixture.ts';
import { logError } from '../log.ts';
import type { TestingFeature } from './fixtureTests.ts';

/**
 * Fixtures as tests: in the Test view, at the lines of their files. The editor shows that view to whoever has tests, so
 * nothing of it is made before there is a fixture.
 */
export function registerTesting(feature: TestingFeature): vscode.Disposable {
  const owned: { dispose(): unknown }[] = [];
  const load = loadOnce(async () => {
    const { FixtureTests } = await import('./fixtureTests.ts');
    const made = new FixtureTests(feature);
    owned.push(made);
    return made;
  });
  const inBackground = (work: Promise<unknown>) =>
    void work.catch((error: unknown) => logError(feature.log, error));
  const look = async (): Promise<void> => {
    const found = await listFixtures();
    if (found.length > 0) (await load()).items.show(found);
  };
  const take = (change: 'add' | 'change' | 'remove') => (uri: vscode.Uri) => {
    if (!isOfDependency(uri)) inBackground(load().then(({ items }) => items[change](uri)));
  };
  const files = vscode.workspace.createFileSystemWatcher(fixtureGlob);
  owned.push(
    files,
    files.onDidCreate(take('add')),
    files.onDidChange(take('change')),
    files.onDidDelete(take('remove')),
    vscode.workspace.onDidChangeWorkspaceFolders(() => inBackground(look())),
  );
  inBackground(look());
  return new vscode.Disposable(() => owned.forEach((one) => void one.dispose()));
}
