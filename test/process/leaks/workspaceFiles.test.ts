import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { workspaceFiles } from '../../../src/leaks/workspaceFiles.ts';
import { GitRepository } from '../../support/files/gitRepository.ts';

describe('the files of a workspace', () => {
  let folder: string;
  let logged: string[];
  const log = { info: (message: string) => void logged.push(message) };
  const below = (path: string) => relative(folder, path);
  const listed = async (folders: string[], open: string[], signal = new AbortController().signal) => {
    const pathOf = (name: string) => join(folder, name);
    const options = { program: 'git', repositories: open.map(pathOf), signal, log };
    const { files, leftOut } = await workspaceFiles(folders.map(pathOf), options);
    return { files: files.map(({ path }) => below(path)).sort(), leftOut: leftOut.map(below).sort() };
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'runhook-workspace-')));
    logged = [];
    for (const name of ['one', 'one/inner', 'two']) {
      mkdirSync(join(folder, name));
      const repository = new GitRepository(join(folder, name));
      repository.write('seen.txt', '');
      repository.write('ignored.txt', '');
      repository.write('.git/info/exclude', 'ignored.txt\n');
    }
    symlinkSync('..', join(folder, 'two/link'), 'dir');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are what git does not ignore of each folder, and the rest is named, though one of them is gone', async () => {
    assert.deepEqual(await listed(['one', 'two', 'two', 'gone'], []), {
      files: ['one/seen.txt', 'two/link', 'two/seen.txt'],
      leftOut: ['gone', 'one/inner'],
    });
    assert.match(logged.join('\n'), /^Git does not list the files of \S+gone: /);
    assert.equal(logged.length, 1);
  });

  it('are those of the open repositories within a folder too, be it in one or not', async () => {
    assert.deepEqual(await listed(['one'], ['one/inner', 'two']), {
      files: ['one/inner/seen.txt', 'one/seen.txt'],
      leftOut: [],
    });
    assert.deepEqual(await listed([''], ['one']), { files: ['one/seen.txt'], leftOut: ['', 'one/inner'] });
  });

  it('are none where the search is cancelled', async () => {
    assert.deepEqual(await listed(['one'], [], AbortSignal.abort()), { files: [], leftOut: [] });
    assert.deepEqual(logged, []);
  });
});
