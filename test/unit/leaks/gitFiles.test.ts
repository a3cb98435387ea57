import assert from 'node:assert/strict';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { relative } from 'node:path';
import { gitFiles } from '../../../src/leaks/gitFiles.ts';
import { stagedFiles, stagedTexts } from '../../../src/leaks/stagedFiles.ts';
import { GitRepository } from '../../support/files/gitRepository.ts';

const signal = new AbortController().signal;

describe('the files that git does not ignore', () => {
  let repository: GitRepository;
  const listed = async (folder = repository.folder) => {
    const files = await gitFiles('git', folder, signal);
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

  it('are those of repositories within it too, whether it tracks them or not', async () => {
    for (const name of ['nested', 'module', 'build/nested']) {
      repository.write(`${name}/file`, '1');
      const inner = new GitRepository(repository.path(name));
      inner.write('.gitignore', 'own-ignored\n');
      inner.write('own-ignored', '2');
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
    assert.deepEqual(await listed(), [
      ...['.gitignore', 'module/.gitignore', 'module/file'],
      ...['nested/.gitignore', 'nested/file', 'tracked.txt'],
    ]);
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

describe('what is staged', () => {
  let repository: GitRepository;
  beforeEach(() => (repository = new GitRepository()));
  afterEach(() => repository.remove());

  const texts = async (...names: string[]) => {
    const paths = names.map((name) => repository.path(name));
    const files = await stagedFiles('git', repository.folder, paths);
    const found: Record<string, string> = {};
    for await (const { file, text } of stagedTexts('git', repository.folder, files)) {
      found[relative(repository.folder, file.path)] = text;
    }
    return found;
  };

  it('is read from the index, whatever the file holds now', async () => {
    repository.write('one.txt', 'staged\nü');
    repository.write('2:two :3.txt', '');
    repository.write('program', new Uint8Array([1, 0, 2]));
    repository.write('large', new Uint8Array(5_000_001).fill(65));
    repository.git('add', '.');
    repository.write('one.txt', 'changed');
    repository.write('new.txt', 'not staged');
    const names = ['one.txt', 'gone.txt', 'new.txt', '2:two :3.txt', 'program', 'large', 'line\nend'];
    assert.deepEqual(await texts(...names), { 'one.txt': 'staged\nü', '2:two :3.txt': '' });
    assert.deepEqual(await texts(), {});
  });

  it('is read without running a program of the repository', async () => {
    repository.write('one.txt', 'staged');
    repository.write('.gitattributes', '*.txt diff=planted filter=planted\n');
    repository.git('add', '.');
    const mark = repository.plantProgram();
    assert.deepEqual(await texts('one.txt'), { 'one.txt': 'staged' });
    assert.equal(existsSync(mark), false, 'the program was run');
  });
});
