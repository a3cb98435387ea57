import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { constants, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clearTheWay, openRegularFile, readSmallFile } from '../../../../src/shared/files/regularFile.ts';

describe('a file that may be something else', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-regular-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const others: readonly (readonly [string, (path: string) => unknown])[] = [
    ['folder', (path) => mkdirSync(path)],
    ['loop', (path) => symlinkSync(path, path)],
    ...(process.platform === 'win32'
      ? []
      : [
          ['FIFO', (path: string) => execFileSync('mkfifo', [path])] as const,
          ['device', (path: string) => symlinkSync('/dev/zero', path)] as const,
        ]),
  ];
  for (const [what, make] of others) {
    it(`is neither read nor written where it is a ${what}, which is moved out of the way`, () => {
      const path = join(folder, 'file');
      make(path);
      assert.throws(() => readSmallFile(path, 100));
      assert.throws(() => openRegularFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT));
      clearTheWay(path);
      writeFileSync(path, 'text');
      assert.equal(readSmallFile(path, 100), 'text');
      clearTheWay(path);
      assert.deepEqual(readdirSync(folder).length, 2);
    });
  }

  it('is not read where it is larger than it may be', () => {
    writeFileSync(join(folder, 'file'), '12345');
    assert.equal(readSmallFile(join(folder, 'file'), 5), '12345');
    assert.throws(() => readSmallFile(join(folder, 'file'), 4), /EFBIG/);
  });
});
