import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSocketPath } from '../../../../src/listener/program/socketPath.ts';

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
