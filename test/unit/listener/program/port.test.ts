import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../../../src/listener/program/program.ts';

describe('the port of the listener program', () => {
  it('is one, however many ask for it at once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-port-'));
    const program = new Program({
      folder,
      version: '1.2.3',
      waitMs: 0,
      guardFile: '',
      onEnded: () => undefined,
    });
    assert.equal(await program.start(), true);
    try {
      const ports = await Promise.all([program.listen(0), program.listen(0), program.listen(0)]);
      assert.equal(new Set(ports).size, 1);
      await program.listener.close();
      await assert.rejects(fetch(`http://127.0.0.1:${ports[0]}`, { method: 'POST' }));
    } finally {
      await program.end('stopped');
      rmSync(folder, { recursive: true });
    }
  });
});
