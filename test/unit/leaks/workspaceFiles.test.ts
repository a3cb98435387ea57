import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { workspaceFiles } from '../../../src/leaks/workspaceFiles.ts';
import { GitRepository } from '../../support/files/gitRepository.ts';

describe('the files of a workspace', () => {
  let folder: string;
  let elsewhere: string;
  let logged: string[];
  const log = { info: (message: string) => void logged.push(message) };
  const write = (name: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  };
  const listed = async (repositories: string[] | undefined, ...folders: string[]) => {
    const all = await workspaceFiles(
      folders.length === 0 ? [folder] : folders.map((name) => join(folder, name)),
      {
        git: repositories && {
          program: 'git',
          repositories: repositories.map((name) => join(folder, name)),
        },
        signal: new AbortController().signal,
        log,
      },
    );
    return { ...all, files: all.files.map(({ path }) => relative(folder, path)).sort() };
  };

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'runhook-workspace-')));
    logged = [];
    for (const name of ['a.txt', 'b/c.txt', 'node_modules/x/i.js', 'b/node_modules/y.js', '.git/config'])
      write(name);
    symlinkSync('.', join(folder, 'itself'), 'dir');
    elsewhere = mkdtempSync(join(tmpdir(), 'runhook-elsewhere-'));
    writeFileSync(join(elsewhere, 'not-ours.txt'), '');
    symlinkSync(elsewhere, join(folder, 'linked'), 'dir');
  });
  afterEach(() => {
    for (const one of [folder, elsewhere]) rmSync(one, { recursive: true });
  });

  it('are all but node_modules where there is no git, and no link is followed', async () => {
    assert.deepEqual(await listed(undefined), { files: ['a.txt', 'b/c.txt'], isByGit: false });
  });

  it('are those of every folder, each asked by itself, though one of them is gone', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    new GitRepository(join(folder, 'b'));
    assert.deepEqual(await listed([], 'b', 'gone'), {
      files: ['b/c.txt', 'b/node_modules/y.js'],
      isByGit: false,
    });
    assert.equal(logged.length, 1);
    assert.deepEqual(await listed([], 'b', 'b'), {
      files: ['b/c.txt', 'b/node_modules/y.js'],
      isByGit: true,
    });
  });

  it('are by git in the repositories within a folder that is none', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    write('b/.gitignore');
    writeFileSync(join(folder, 'b/.gitignore'), 'c.txt\nnode_modules\n');
    new GitRepository(join(folder, 'b'));
    assert.deepEqual(await listed(['b']), { files: ['a.txt', 'b/.gitignore'], isByGit: false });
  });

  it('are none that were not yet listed where it is cancelled', async () => {
    const git = { program: 'git', repositories: [] };
    const signal = AbortSignal.abort();
    const { files } = await workspaceFiles([folder], { git, signal, log });
    assert.deepEqual([files, logged], [[], []]);
  });
});
