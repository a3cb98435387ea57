import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitFiles, ignoredByGit } from '../../../src/leaks/git.ts';
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

describe('a clone with folders that look like bare repositories', () => {
  let repository: GitRepository;
  afterEach(() => repository.remove());

  /** What such a folder may say of itself in its settings. */
  const forms: [what: string, config: (repository: GitRepository) => string][] = [
    ['itself as its work tree', () => '[core]\n\tbare = false\n\tworktree = .\n'],
    ['the folder above as its work tree', () => '[core]\n\tbare = false\n\tworktree = ..\n'],
    ['the clone as its work tree', ({ folder }) => `[core]\n\tbare = false\n\tworktree = ${folder}\n`],
    ['that it is bare', () => '[core]\n\tbare = true\n'],
    ['nothing', () => ''],
  ];
  const files = [
    '.env',
    'seen',
    'app/.env',
    'app/seen',
    'app/info/x',
    'app/sub/.env',
    'app/sub/seen',
    'app/objects/x',
  ];
  for (const [what, config] of forms) {
    for (const [ignored, excluded] of [
      ['', '.env\nseen\n'],
      ['.env\n', 'seen\n'],
      ['app/\n', '!.env\n'],
    ]) {
      it(`is seen as git sees it from its root, where one says ${what} and the clone ignores ${ignored?.trim() || 'nothing'}`, async () => {
        repository = new GitRepository();
        repository.write('.gitignore', ignored!);
        repository.write('app/HEAD', 'ref: refs/heads/main\n');
        repository.write('app/config', config(repository));
        repository.write('app/objects/x', '');
        repository.write('app/refs/heads/x', '');
        repository.write('app/info/exclude', excluded!);
        repository.write('app/sub/seen', '');
        repository.git('add', '.gitignore');
        // git itself says so with 1 where it ignores none.
        const ignoredPaths = spawnSync('git', ['check-ignore', '--', ...files], {
          cwd: repository.folder,
          encoding: 'utf8',
        });
        const real = new Set(ignoredPaths.stdout.split('\n'));
        for (const file of files) {
          const expected = real.has(file) ? 'ignored' : 'seen';
          assert.equal(await ignoredByGit('git', repository.path(file)), expected, file);
        }
        const seen = repository
          .git('ls-files', '--cached', '--others', '--exclude-standard')
          .trim()
          .split('\n');
        for (const folder of ['', 'app', 'app/sub']) {
          const { signal } = new AbortController();
          const { files: listed } = await gitFiles('git', repository.path(folder), signal);
          const below = seen.filter((file) => folder === '' || file.startsWith(`${folder}/`));
          assert.deepEqual(listed.sort(), below.map((file) => repository.path(file)).sort());
        }
      });
    }
  }
});
