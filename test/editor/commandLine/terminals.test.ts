import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { waitFor } from '../../support/time/waitFor.ts';

/** A terminal that runs a line and ends, in the shell that every system has. */
function terminalWith(line: string): vscode.Terminal {
  return vscode.window.createTerminal(
    process.platform === 'win32'
      ? { name: 'test', shellPath: 'cmd.exe', shellArgs: ['/d', '/c', line] }
      : { name: 'test', shellPath: '/bin/sh', shellArgs: ['-c', line] },
  );
}

describe('the command line in the terminals of the editor', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is there, whatever is installed, and runs on the Node of the editor', async () => {
    const extension = vscode.extensions.getExtension<unknown>('runhook.runhook');
    assert.ok(extension);
    await extension.activate();
    const { version } = extension.packageJSON as { version: string };
    const file = join(folder, 'said');
    const terminal = terminalWith(`runhook --version > "${file}" 2>&1`);
    try {
      const said = await waitFor('the version', () => readFileSync(file, 'utf8').trim());
      assert.equal(said, version);
    } finally {
      terminal.dispose();
    }
  });
});
