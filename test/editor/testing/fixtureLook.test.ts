import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { whenFixture } from '../../../src/editor/activation/hasWork.ts';
import { eventually } from '../../support/editor/inEditor.ts';
import { countSearches, searchBy } from '../../support/editor/searches.ts';
import { TestClock } from '../../support/time/testClock.ts';

const second = 1000;

describe('the look for a first fixture', () => {
  const [{ uri: folder } = assert.fail('no folder is open')] = vscode.workspace.workspaceFolders ?? [];
  const clock = new TestClock();
  const files: vscode.Uri[] = [];
  let calls = 0;
  let look: vscode.Disposable | undefined;

  const start = (): void => {
    look = whenFixture(() => (calls += 1), clock);
  };
  async function write(path: string): Promise<vscode.Uri> {
    const uri = vscode.Uri.joinPath(folder, path);
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{}'));
    files.push(uri);
    return uri;
  }

  afterEach(async () => {
    look?.dispose();
    calls = 0;
    for (const uri of files.splice(0)) await vscode.workspace.fs.delete(uri);
  });

  it('finds one in the root folder, by one search, a second after the start', async () => {
    await write('first.delivery.json');
    await countSearches(async (count) => {
      start();
      clock.advance(second - 1);
      assert.equal(count(), 0);
      clock.advance(1);
      await eventually(() => (calls > 0 ? true : undefined));
      clock.advance(10 * second);
      assert.deepEqual([count(), calls], [1, 1]);
    });
  });

  it('finds one of the older form, by a search or as it is opened', async () => {
    const fixture = await write('.runhook/fixtures/older.json');
    start();
    clock.advance(second);
    await eventually(() => (calls > 0 ? true : undefined));
    start();
    await vscode.workspace.openTextDocument(fixture);
    await eventually(() => (calls > 1 ? true : undefined));
  });

  it('does not search once a fixture was opened', async () => {
    const fixture = await write('opened.delivery.json');
    await countSearches(async (count) => {
      start();
      await vscode.workspace.openTextDocument(fixture);
      await eventually(() => (calls > 0 ? true : undefined));
      clock.advance(second);
      assert.deepEqual([count(), calls], [0, 1]);
    });
  });

  it('does not search once it has ended', async () => {
    await countSearches((count) => {
      start();
      look?.dispose();
      clock.advance(second);
      assert.equal(count(), 0);
    });
    assert.equal(clock.nextIn, undefined);
  });

  it('ends its search where a fixture is opened meanwhile', async () => {
    const fixture = await write('meanwhile.delivery.json');
    let token: vscode.CancellationToken | undefined;
    const endless: typeof vscode.workspace.findFiles = (_include, _exclude, _most, given) => {
      token = given;
      return new Promise(() => undefined);
    };
    await searchBy(endless, async () => {
      start();
      clock.advance(second);
      await vscode.workspace.openTextDocument(fixture);
      await eventually(() => (calls > 0 ? true : undefined));
      assert.equal(token?.isCancellationRequested, true);
    });
  });
});
