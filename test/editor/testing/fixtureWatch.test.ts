import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { FixtureItems } from '../../../src/editor/testing/fixtureItems.ts';
import { FixtureWatch } from '../../../src/editor/testing/feature.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { countSearches } from '../../support/editor/searches.ts';

describe('the fixtures of the workspace', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const log = vscode.window.createOutputChannel('fixture watch', { log: true });
  let controller: vscode.TestController;
  let items: FixtureItems;
  let watch: FixtureWatch;
  let lists: number;
  let changed: string[];

  const pathOf = (name: string) => join(folder, `${name}.delivery.json`);
  async function write(name: string, text = '{}'): Promise<void> {
    await mkdir(dirname(pathOf(name)), { recursive: true });
    await writeFile(pathOf(name), text);
  }
  const shown = (): string[] =>
    [...controller.items].flatMap(([, { children }]) => [...children].map(([, { label }]) => label)).sort();
  const shows = async (...names: string[]): Promise<unknown> =>
    eventually(() => (JSON.stringify(shown()) === JSON.stringify(names) ? true : undefined));
  const start = (): void => {
    watch = new FixtureWatch(log, {
      has: (uri) => items.has(uri),
      show: (uris) => {
        lists += 1;
        items.show(uris);
      },
      change: (uri) => {
        changed.push(uri.path.slice(uri.path.lastIndexOf('/') + 1));
        return items.change(uri);
      },
    });
  };

  beforeEach(async () => {
    [lists, changed] = [0, []];
    controller = vscode.tests.createTestController('runhook.fixtures.watch', 'fixture watch');
    items = new FixtureItems(controller);
    await write('elsewhere/one');
    start();
    await shows('one');
  });
  afterEach(async () => {
    for (const one of [watch, items, controller]) one.dispose();
    for (const name of ['.runhook', 'elsewhere', 'other'])
      await rm(join(folder, name), { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => log.dispose());

  it('are those that are there, come and go, also with their folder', async () => {
    await write('elsewhere/two');
    await shows('one', 'two');
    await write('elsewhere/two', '{ }');
    await eventually(() => (changed.includes('two.delivery.json') ? true : undefined));
    await rm(pathOf('elsewhere/one'));
    await shows('two');
    await rm(join(folder, 'elsewhere'), { recursive: true });
    await shows();
  });

  it('are searched for once for all that changes meanwhile', async () => {
    await countSearches(async (count) => {
      await Promise.all([watch.list(), watch.list(), watch.list()]);
      assert.equal(count(), 1);
    });
  });

  it('are all shown once the view is used, in whichever folders they were made', async () => {
    for (let round = 0; round < 3; round += 1) {
      await write(`.runhook/fixtures/${round}`);
      await write(`other/deep/below/${round}`);
      await watch.list();
      await shows(String(round), String(round), 'one');
      await rm(join(folder, '.runhook'), { recursive: true });
      await rename(join(folder, 'other/deep'), join(folder, 'other/moved'));
      await watch.list();
      await shows(String(round), 'one');
      await rm(join(folder, 'other'), { recursive: true });
      await watch.list();
      await shows('one');
    }
  });

  it('are shown with the first of them that is opened or saved', async () => {
    let before = lists;
    items.show([]);
    const document = await vscode.workspace.openTextDocument(pathOf('elsewhere/one'));
    await shows('one');
    assert.ok(lists > before);
    // The editor does not report again that it is open.
    const editor = await vscode.window.showTextDocument(document);
    before = lists;
    items.show([]);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), ' '));
    await document.save();
    await shows('one');
    assert.ok(lists > before);
  });
});
