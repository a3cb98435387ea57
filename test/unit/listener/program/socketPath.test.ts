import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { newSocketPath, removeSocket } from '../../../../src/listener/program/control.ts';

describe('the path of the socket of the listener program', () => {
  const name = 'XDG_RUNTIME_DIR';
  const before = process.env[name];
  afterEach(() => {
    if (before === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before;
  });

  it('is elsewhere where the folder that the system names cannot be made', () => {
    process.env[name] = '/dev/null/1000';
    assert.ok(newSocketPath('/a/folder').startsWith(tmpdir()));
  });

  it('is in a new folder, whatever others have made before, and leaves nothing of an earlier program', () => {
    const parent = (process.env[name] = mkdtempSync(join(tmpdir(), 'x')));
    try {
      const first = newSocketPath('/a/folder');
      writeFileSync(first, '');
      const [own = ''] = readdirSync(parent);
      assert.equal(statSync(dirname(first)).mode & 0o777, 0o700);
      const squatted = join(parent, own.replace(/.{6}$/, 'others'));
      symlinkSync('/', squatted);
      writeFileSync(`${squatted}2`, '');
      const others = newSocketPath('/another/folder');
      const inContainer = newSocketPath('/a/folder', '1:2');
      const second = newSocketPath('/a/folder');
      assert.notEqual(second, first);
      assert.equal(existsSync(dirname(first)), false);
      for (const stays of [dirname(others), dirname(inContainer), dirname(second), `${squatted}2`])
        assert.ok(existsSync(stays));
      removeSocket(second);
      assert.equal(existsSync(dirname(second)), false);
    } finally {
      rmSync(parent, { recursive: true });
    }
  });

  it('is elsewhere where it would be too long for a socket', () => {
    process.env[name] = mkdtempSync(join(tmpdir(), 'x'.repeat(80)));
    try {
      const path = newSocketPath('/a/folder');
      assert.ok(Buffer.byteLength(path) < 104, path);
    } finally {
      rmSync(process.env[name], { recursive: true });
    }
  });
});
