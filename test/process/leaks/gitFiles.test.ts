import assert from 'node:assert/strict';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { relative } from 'node:path';
import { gitFiles } from '../../../src/leaks/git.ts';
import { GitRepository } from '../../support/files/gitRepository.ts';

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
    await assert.rejects(gitFiles('git', folder, signal), /not a git repository/);
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
