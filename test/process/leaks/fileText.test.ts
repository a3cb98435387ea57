import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileText, longestText } from '../../../src/leaks/fileText.ts';

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
