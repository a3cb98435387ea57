import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { FixtureWatch, type FixtureWatcher } from '../../../src/editor/testing/fixtureWatch.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { countSearches } from '../../support/editor/searches.ts';

describe('the fixtures of the workspace', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const log = vscode.window.createOutputChannel('fixture watch', { log: true });
  const known = new Set<string>();
  const changed: string[] = [];
  let reports = 0;
  let watch: FixtureWatch;

  const nameOf = ({ path }: vscode.Uri) =>
    path.slice(path.lastIndexOf('/') + 1).replace('.delivery.json', '');
  async function write(path: string, text = '{}'): Promise<void> {
    const file = join(folder, `${path}.delivery.json`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const knows = async (...names: string[]): Promise<unknown> =>
    eventually(() => (JSON.stringify([...known].sort()) === JSON.stringify(names) ? true : undefined));

  const watcher: FixtureWatcher = {
    found: async (uris) => {
      reports += 1;
      known.clear();
      for (const uri of uris) known.add(nameOf(uri));
      return Promise.resolve();
    },
    changed: async (change, uri) => {
      if (change === 'remove') known.delete(nameOf(uri));
      else known.add(nameOf(uri));
      if (change === 'change') changed.push(nameOf(uri));
      return Promise.resolve();
    },
  };

  beforeEach(async () => {
    await write('elsewhere/one');
    watch = new FixtureWatch(log, watcher);
  });
  afterEach(async () => {
    watch.dispose();
    known.clear();
    changed.length = 0;
    await rm(join(folder, '.runhook'), { recursive: true, force: true });
    await rm(join(folder, 'elsewhere'), { recursive: true, force: true });
  });
  after(() => log.dispose());

  it('are those that are there, come and go, wherever they are', async () => {
    await knows('one');
    await write('elsewhere/two');
    await knows('one', 'two');
    await rm(join(folder, 'elsewhere/one.delivery.json'));
    await knows('two');
  });

  it('are found by one search each time it looks', async () => {
    watch.dispose();
    await countSearches(async (count) => {
      reports = 0;
      watch = new FixtureWatch(log, watcher);
      await knows('one');
      await write('.runhook/fixtures/two');
      await knows('one', 'two');
      await eventually(() => (reports > 1 ? true : undefined));
      // One may be under way.
      assert.ok([0, 1].includes(count() - reports), `${count()} searches for ${reports} reports`);
    });
  });

  it('are seen in folders that were made together', async () => {
    await rm(join(folder, 'elsewhere'), { recursive: true });
    await knows();
    for (let round = 0; round < 6; round += 1) {
      await write('.runhook/fixtures/one');
      await knows('one');
      await write('.runhook/fixtures/two');
      await knows('one', 'two');
      changed.length = 0;
      await write('.runhook/fixtures/two', '{ }');
      await eventually(() => (changed.includes('two') ? true : undefined));
      await rm(join(folder, '.runhook'), { recursive: true });
      await knows();
    }
  });

  it('are seen in a folder that is removed and made again at once', async () => {
    await rm(join(folder, 'elsewhere'), { recursive: true });
    for (let round = 0; round < 6; round += 1) {
      await write(`.runhook/fixtures/first ${round}`);
      await knows(`first ${round}`);
      await rm(join(folder, '.runhook'), { recursive: true });
      await write(`.runhook/fixtures/then ${round}`);
      await knows(`then ${round}`);
      await rm(join(folder, '.runhook'), { recursive: true });
    }
    await knows();
  });
});
