import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answerPrompts, command, withoutAutoSave } from '../../../support/editor/inEditor.ts';
import { GitRepository } from '../../../support/files/gitRepository.ts';
import { leaveGit, remove, useGit } from '../../leaks/leakWarnings.ts';
import { waitFor } from '../../../support/time/waitFor.ts';

describe('the webhook secret in a .env file', () => {
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const folder = join(root, 'env');
  const file = join(folder, '.env');
  const argument = { file, variable: 'WEBHOOK_SECRET' };
  const write = (more: object = {}) => command<object>('writeWebhookSecret', { ...argument, ...more });
  const text = (path = file) => readFileSync(path, 'utf8');
  let repository: GitRepository;

  before(async () => {
    await command('reset', { confirmed: true });
    // The Git extension says which git to ask, once it knows a repository.
    new GitRepository(root);
    await useGit();
  });
  after(async () => {
    await leaveGit();
    await remove('.git');
  });
  beforeEach(async () => {
    await command('setWebhookSecret', { secret: 'first' });
    mkdirSync(folder);
    repository = new GitRepository(folder);
    repository.write('.gitignore', '.env\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is written into a new one, which nobody else can read, or takes the place of another', async () => {
    assert.deepEqual(await write(), {
      ...{ file: vscode.Uri.file(file).toString(), variable: 'WEBHOOK_SECRET' },
      ...{ follows: false, isIgnored: true },
    });
    assert.equal(text(), 'WEBHOOK_SECRET=first\n');
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    writeFileSync(file, Buffer.from('A=\xff\r\nWEBHOOK_SECRET="a"\r\nB=2', 'latin1'));
    await write();
    assert.equal(readFileSync(file, 'latin1'), 'A=\xff\r\nWEBHOOK_SECRET=first\r\nB=2');
  });

  it('is written where the user says, and anew when it changes, if the user wants that', async () => {
    writeFileSync(file, 'A=1\n');
    await answerPrompts('env/.env', 'MY_SECRET', 'Write it again whenever the secret changes');
    await command('writeWebhookSecret');
    assert.equal(text(), 'A=1\nMY_SECRET=first\n');
    await command('setWebhookSecret', { secret: 'second' });
    await waitFor('the second', () => text().includes('MY_SECRET=second') || undefined);
    // Both are remembered, and this time it is not to go along.
    await answerPrompts({ kept: true }, { kept: true }, 'Write it once');
    await command('writeWebhookSecret');
    await command('setWebhookSecret', { secret: 'third' });
    await write();
    assert.equal(text(), 'A=1\nMY_SECRET=second\nWEBHOOK_SECRET=third\n');
  });

  it('comes not back where it was taken out, or its file was removed', async () => {
    await write({ follow: true });
    writeFileSync(file, 'A=1\n');
    await command('setWebhookSecret', { secret: 'second' });
    const other = join(folder, 'other.env');
    repository.write('.gitignore', '.env\n*.env\n');
    await write({ file: other, follow: true });
    await command('setWebhookSecret', { secret: 'third' });
    await waitFor('the one that is still followed', () => text(other) === 'WEBHOOK_SECRET=third\n');
    assert.equal(text(), 'A=1\n');
    rmSync(other);
    await command('setWebhookSecret', { secret: 'fourth' });
    await write({ file: join(folder, 'last.env') });
    assert.equal(existsSync(other), false);
  });

  it('is written whole or not at all, as on a disk that is nearly full', async () => {
    const before = 'WEBHOOK_SECRET=1\nOTHER=of the user\n';
    writeFileSync(file, before);
    const handle = await open(file);
    const prototype = Object.getPrototypeOf(handle) as { write: (...asked: unknown[]) => Promise<unknown> };
    await handle.close();
    const { write: writes } = prototype;
    let room = before.length;
    // Takes ten bytes at a time, and none beyond the room there is.
    prototype.write = function (this: unknown, bytes, offset, length, position) {
      const taken = Math.min(10, Number(length), room - Number(position));
      if (taken > 0) return writes.call(this, bytes, offset, taken, position);
      return Promise.reject(Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' }));
    };
    try {
      await assert.rejects(write(), /cannot be written: ENOSPC/);
      assert.equal(text(), before);
      room = Infinity;
      await write();
    } finally {
      prototype.write = writes;
    }
    assert.equal(text(), 'WEBHOOK_SECRET=first\nOTHER=of the user\n');
  });

  it('leaves no file behind where none can hold it', async () => {
    await command('setWebhookSecret', { secret: 'it\'s a "$`"' });
    await assert.rejects(write(), /cannot be written into a \.env file/);
    assert.equal(existsSync(file), false);
  });

  it('goes along with no change once git does not ignore the file any more', async () => {
    const other = join(folder, 'other.env');
    repository.write('.gitignore', '*.env\n');
    await write({ follow: true });
    await write({ file: other, follow: true });
    repository.write('.gitignore', 'other.env\n');
    await command('setWebhookSecret', { secret: 'second' });
    await waitFor('the other', () => text(other).includes('second') || undefined);
    assert.equal(text(), 'WEBHOOK_SECRET=first\n');
    await command('reset', { confirmed: true });
  });

  it('is not written into one that git does not ignore, or tracks', async () => {
    repository.write('.gitignore', '');
    await assert.rejects(write(), /Git does not ignore env\/\.env, so the secret was not written/);
    assert.ok(!existsSync(file));
    repository.write('.env', 'A=1\n');
    repository.git('add', '.env');
    repository.write('.gitignore', '.env\n');
    await assert.rejects(write(), /Git does not ignore/);
    assert.equal(text(), 'A=1\n');
  });

  it('is not written through a link that leads out of the workspace', async function () {
    const outside = mkdtempSync(join(tmpdir(), 'runhook-'));
    try {
      writeFileSync(join(outside, '.env'), 'A=1\n');
      symlinkSync(join(outside, '.env'), file);
      await assert.rejects(write(), /outside of the workspace/);
      symlinkSync(outside, join(folder, 'linked'), 'junction');
      await assert.rejects(write({ file: join(folder, 'linked/.env') }), /outside of the workspace/);
      assert.equal(text(join(outside, '.env')), 'A=1\n');
      rmSync(file);
      symlinkSync(join(folder, 'seen'), file);
      writeFileSync(join(folder, 'seen'), '');
      await assert.rejects(write(), /Git does not ignore/);
      assert.equal(text(join(folder, 'seen')), '');
    } finally {
      rmSync(outside, { recursive: true, force: true });
    }
  });

  it('is written into nothing but a .env file of the workspace', async () => {
    for (const name of ['app.js', '.env.example', '../../.env', 'a/../../../b.env']) {
      await assert.rejects(write({ file: join(folder, name) }), /is not a \.env file of this workspace/);
    }
    mkdirSync(file);
    await assert.rejects(write(), /cannot be written: EISDIR/);
    await assert.rejects(write({ file: join(folder, 'none/.env') }), /cannot be written: ENOENT/);
  });

  it('does not cross what is being edited', async () => {
    writeFileSync(file, 'A=1\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await withoutAutoSave(async () => {
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'B=2\n'));
      await assert.rejects(write(), /has changes that are not saved/);
      assert.equal(text(), 'A=1\n');
      assert.equal(await editor.document.save(), true);
    });
    await write();
    assert.equal(text(), 'B=2\nA=1\nWEBHOOK_SECRET=first\n');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
