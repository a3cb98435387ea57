import assert from 'node:assert/strict';
import fs, { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, parse } from 'node:path';
import { makeFolder, makeFolderAsync } from '../../../../src/shared/files/makeFolder.ts';

describe('a folder with those above it', () => {
  const root = mkdtempSync(join(tmpdir(), 'runhook-folders-'));
  after(() => rmSync(root, { recursive: true }));

  const ways: readonly [string, (path: string) => Promise<void> | void][] = [
    ['at once', (path) => makeFolder(path, 0o700)],
    ['later', makeFolderAsync],
  ];
  for (const [when, make] of ways) {
    it(`is made, ${when}, and stays where it is there`, async () => {
      const path = join(root, when, 'a', 'b', 'c');
      await make(path);
      await make(path);
      assert.ok(statSync(path).isDirectory());
      symlinkSync(path, join(root, when, 'link'));
      await make(join(root, when, 'link'));
      await make(parse(root).root);
    });

    it(`is not made, ${when}, where a file is in the way`, async () => {
      const file = join(root, `file ${when}`);
      writeFileSync(file, '');
      await assert.rejects(async () => make(file), { code: 'EEXIST' });
      await assert.rejects(async () => make(join(file, 'a', 'b')), { code: /ENOTDIR|ENOENT|EEXIST/ });
    });

    it(`takes a bounded number of calls, ${when}, whatever the system says`, async () => {
      const mkdirSync = fs.mkdirSync;
      const mkdir = promises.mkdir;
      for (const code of ['ENOENT', 'EIO', 'ESTALE', 'ENOTDIR', 'ELOOP', 'EDQUOT', 'EROFS', 'EEXIST']) {
        let calls = 0;
        const fails = (): never => {
          calls += 1;
          throw Object.assign(new Error(code), { code });
        };
        Object.assign(fs, { mkdirSync: fails });
        Object.assign(promises, { mkdir: () => Promise.resolve().then(fails) });
        syncBuiltinESMExports();
        try {
          await assert.rejects(async () => make(join(root, 'x', 'y', 'z')), { code });
        } finally {
          Object.assign(fs, { mkdirSync });
          Object.assign(promises, { mkdir });
          syncBuiltinESMExports();
        }
        assert.ok(calls <= 10, `${code}: ${calls} calls`);
      }
    });
  }
});
