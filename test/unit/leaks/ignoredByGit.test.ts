import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoredByGit } from '../../../src/leaks/ignoredByGit.ts';
import { GitRepository } from '../../support/files/gitRepository.ts';

describe('whether git ignores a file', () => {
  let repository: GitRepository;
  const asked = (name: string, program: string | undefined = 'git') =>
    ignoredByGit(program, repository.path(name));
  beforeEach(() => {
    repository = new GitRepository();
    repository.write('.gitignore', '.env\n');
    repository.write('a/b', '');
  });
  afterEach(() => repository.remove());

  it('is told of those that are there, and those that are not yet', async () => {
    assert.equal(await asked('.env'), 'ignored');
    assert.equal(await asked('.env.local'), 'seen');
    repository.write('a/.env', '');
    assert.equal(await asked('a/.env'), 'ignored');
    repository.write('a/.env.local', '');
    assert.equal(await asked('a/.env.local'), 'seen');
  });

  it('is not so for one that it tracks', async () => {
    repository.write('.env', '');
    repository.git('add', '--force', '.env');
    assert.equal(await asked('.env'), 'seen');
  });

  it('is told by the path as it is, and runs no program of the repository', async () => {
    repository.write('.gitignore', '.env\n\\[x\\].env\n');
    const mark = repository.plantProgram();
    assert.equal(await asked('[x].env'), 'ignored');
    assert.equal(await asked('x.env'), 'seen');
    assert.ok(!existsSync(mark));
  });

  it('is not known where git cannot be asked', async () => {
    assert.equal(await ignoredByGit(undefined, repository.path('.env')), 'unknown');
    assert.equal(await asked('.env', '/nowhere/git'), 'unknown');
  });

  it('is of no account where there is no repository', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'runhook-')));
    try {
      assert.equal(await ignoredByGit('git', join(folder, '.env')), 'noRepository');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
