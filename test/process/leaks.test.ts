import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { fileText, longestText } from '../../src/leaks/fileText.ts';
import { gitFiles, ignoredByGit } from '../../src/leaks/git.ts';
import { workspaceFiles } from '../../src/leaks/workspaceFiles.ts';
import { GitRepository } from '../support/files/gitRepository.ts';

describe('the text of a file', () => {
  let folder: string;
  let elsewhere: string;
  const at = (name: string) => join(folder, name);
  const read = (name: string) => fileText(at(name), folder);

  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'runhook-file-text-')));
    elsewhere = await realpath(await mkdtemp(join(tmpdir(), 'runhook-elsewhere-')));
    await writeFile(join(elsewhere, 'secret.txt'), 'not yours');
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await rm(elsewhere, { recursive: true });
  });

  it('is decoded as the editor does', async () => {
    await writeFile(at('utf8'), '\ufeffgrün');
    await writeFile(at('utf16'), '\ufeffgrün', 'utf16le');
    await writeFile(at('latin1'), 'grün', 'latin1');
    await writeFile(at('empty'), '');
    assert.deepEqual(await read('utf8'), { kind: 'text', text: 'grün' });
    assert.deepEqual(await read('utf16'), { kind: 'text', text: 'grün' });
    assert.deepEqual(await read('latin1'), { kind: 'text', text: 'gr\ufffdn' });
    assert.deepEqual(await read('empty'), { kind: 'text', text: '' });
  });

  it('is not read where it is binary or too large', async () => {
    await writeFile(at('program'), Buffer.from([0x7f, 0x45, 0, 0]));
    await writeFile(at('huge'), '');
    await truncate(at('huge'), 20_000_000_000);
    await writeFile(at('largest'), Buffer.alloc(longestText, 'x'));
    assert.deepEqual(await read('program'), { kind: 'binary' });
    assert.deepEqual(await read('huge'), { kind: 'tooLarge' });
    assert.equal((await read('largest')).kind, 'text');
  });

  it('is none where the file has vanished, or is a folder or a pipe that nobody writes to', async () => {
    await mkdir(at('folder'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [at('pipe')]);
    for (const name of ['gone', 'gone/file', 'folder', 'pipe', 'utf8/below']) {
      assert.deepEqual(await read(name), { kind: 'none' }, name);
    }
  });

  it('is none of what a link leads to, be it a loop', async () => {
    await symlink(join(elsewhere, 'secret.txt'), at('link'));
    await symlink(elsewhere, at('linked-folder'));
    await symlink(at('loop-b'), at('loop-a'));
    await symlink(at('loop-a'), at('loop-b'));
    await symlink('.', at('itself'));
    for (const name of ['link', 'linked-folder/secret.txt', 'loop-a', 'loop-a/file']) {
      assert.deepEqual(await read(name), { kind: 'none' }, name);
    }
    assert.equal((await read('itself/itself/utf8')).kind, 'text');
  });

  it('is not read where it may not be', async function () {
    if (process.getuid?.() === 0) {
      // Root may read all; what cannot be opened for another reason counts the same.
      assert.deepEqual(await read('x'.repeat(300)), { kind: 'unreadable' });
      return;
    }
    await writeFile(at('locked'), 'x');
    await chmod(at('locked'), 0);
    assert.deepEqual(await read('locked'), { kind: 'unreadable' });
  });
});

const signal = new AbortController().signal;

describe('the files that git does not ignore', () => {
  let repository: GitRepository;
  const listed = async (folder = repository.folder) => {
    const { files } = await gitFiles('git', folder, signal);
    return files.map((file) => relative(repository.folder, file)).sort();
  };

  beforeEach(() => {
    repository = new GitRepository();
    repository.write('.gitignore', 'ignored*\n/build/\n');
    repository.write('tracked.txt', '1');
    repository.git('add', '.');
  });
  afterEach(() => repository.remove());

  it('are those that it tracks, and those that it might', async () => {
    repository.write('new file.txt', '2');
    const odd = process.platform === 'win32' ? 'odd ü' : 'line\nend "and" ü';
    repository.write(`a/${odd}`, '3');
    repository.write('ignored.env', '4');
    repository.write('build/out.js', '5');
    repository.write('ignored-but-tracked', '6');
    repository.git('add', '--force', 'ignored-but-tracked');
    assert.deepEqual(await listed(), [
      ...['.gitignore', `a/${odd}`, 'ignored-but-tracked', 'new file.txt', 'tracked.txt'],
    ]);
    assert.deepEqual(await listed(repository.path('a')), [`a/${odd}`]);
  });

  it('are not those of the repositories within, which are named, whether it tracks them or not', async () => {
    for (const name of ['nested', 'module', 'build/nested']) {
      repository.write(`${name}/file`, '1');
      const inner = new GitRepository(repository.path(name));
      inner.git('add', '.');
      inner.git('commit', '--quiet', '-m', 'first');
    }
    repository.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'module');
    // One that was not fetched.
    repository.write('empty/file', '1');
    new GitRepository(repository.path('empty')).git('commit', '--quiet', '--allow-empty', '-m', 'first');
    repository.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'empty');
    rmSync(repository.path('empty/.git'), { recursive: true });
    rmSync(repository.path('empty/file'));
    const { files, repositories } = await gitFiles('git', repository.folder, signal);
    assert.deepEqual(
      files.sort(),
      ['.gitignore', 'tracked.txt'].map((name) => repository.path(name)),
    );
    assert.deepEqual(
      repositories.sort(),
      ['module', 'nested'].map((name) => repository.path(name)),
    );
  });

  it('are none that a link leads to, and a loop of links ends nowhere', async () => {
    symlinkSync('.', repository.path('itself'));
    repository.git('add', 'itself');
    symlinkSync('/', repository.path('root'));
    assert.deepEqual(await listed(), ['.gitignore', 'root', 'tracked.txt']);
  });

  it('cannot be told outside of a repository', async () => {
    const folder = repository.folder;
    rmSync(repository.path('.git'), { recursive: true });
    await assert.rejects(gitFiles('git', folder, signal), { name: 'NoRepositoryError' });
    await assert.rejects(gitFiles('git', `${folder}/gone`, signal));
    await assert.rejects(gitFiles('no-such-program-as-this', folder, signal));
  });

  it('are listed without running a program of the repository', async () => {
    const mark = repository.plantProgram();
    assert.deepEqual(await listed(), ['.gitignore', 'tracked.txt']);
    assert.equal(existsSync(mark), false, 'the program was run');
    // What it would be without care.
    repository.git('ls-files', '--others');
    assert.ok(existsSync(mark), 'the program would not be run anyway');
  });

  it('are listed with what the environment says of another repository left out', async () => {
    process.env.GIT_DIR = '/nowhere';
    try {
      assert.deepEqual(await listed(), ['.gitignore', 'tracked.txt']);
    } finally {
      delete process.env.GIT_DIR;
    }
  });
});

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

describe('the files of a workspace', () => {
  let folder: string;
  let logged: string[];
  const log = { info: (message: string) => void logged.push(message) };
  const below = (path: string) => relative(folder, path);
  const listed = async (folders: string[], open: string[], signal = new AbortController().signal) => {
    const pathOf = (name: string) => join(folder, name);
    const options = { program: 'git', repositories: open.map(pathOf), signal, log };
    const { files, leftOut, outside } = await workspaceFiles(folders.map(pathOf), options);
    return {
      files: files.map(({ path }) => below(path)).sort(),
      leftOut: leftOut.map(below).sort(),
      outside: outside.map(below),
    };
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
      outside: [],
    });
    assert.match(logged.join('\n'), /^Git does not list the files of \S+gone: /);
    assert.equal(logged.length, 1);
  });

  it('are those of the open repositories within a folder too, be it in one or not', async () => {
    assert.deepEqual(await listed(['one'], ['one/inner', 'two']), {
      files: ['one/inner/seen.txt', 'one/seen.txt'],
      leftOut: [],
      outside: [],
    });
    assert.deepEqual(await listed([''], ['one']), {
      files: ['one/seen.txt'],
      leftOut: ['', 'one/inner'],
      outside: [''],
    });
  });

  it('are none where the search is cancelled', async () => {
    assert.deepEqual(await listed(['one'], [], AbortSignal.abort()), { files: [], leftOut: [], outside: [] });
    assert.deepEqual(logged, []);
  });
});
