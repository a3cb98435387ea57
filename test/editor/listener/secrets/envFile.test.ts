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
import { WebhookSecretStore } from '../../../../src/editor/listener/secrets/webhookSecretStore.ts';
import { WrittenFiles } from '../../../../src/editor/listener/secrets/envFile.ts';
import { MemorySecrets } from '../../../support/editor/memorySecrets.ts';
import { answerPrompts, command, shownMessages, withoutAutoSave } from '../../../support/editor/inEditor.ts';
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
      isIgnored: true,
    });
    assert.equal(text(), 'WEBHOOK_SECRET=first\n');
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    writeFileSync(file, Buffer.from('A=\xff\r\nWEBHOOK_SECRET="a"\r\nB=2', 'latin1'));
    await write();
    assert.equal(readFileSync(file, 'latin1'), 'A=\xff\r\nWEBHOOK_SECRET=first\r\nB=2');
  });

  it('is written where the user says, and not again when it changes', async () => {
    writeFileSync(file, 'A=1\n');
    await answerPrompts('env/.env', 'MY_SECRET');
    await command('writeWebhookSecret');
    assert.equal(text(), 'A=1\nMY_SECRET=first\n');
    await command('setWebhookSecret', { secret: 'second' });
    assert.equal(text(), 'A=1\nMY_SECRET=first\n');
    // Both are remembered.
    await answerPrompts({ kept: true }, { kept: true });
    await command('writeWebhookSecret');
    assert.equal(text(), 'A=1\nMY_SECRET=second\n');
  });

  it('takes the place of a value of others only where the user agrees', async () => {
    writeFileSync(file, 'WEBHOOK_SECRET=of others\n');
    await answerPrompts('env/.env', 'WEBHOOK_SECRET', false);
    await command('writeWebhookSecret');
    assert.equal(text(), 'WEBHOOK_SECRET=of others\n');
    await answerPrompts('env/.env', 'WEBHOOK_SECRET', true);
    await command('writeWebhookSecret');
    assert.equal(text(), 'WEBHOOK_SECRET=first\n');
  });

  it('is named with its file and the terminals that have it when it changes, and written again by a button', async () => {
    const other = join(folder, 'other.env');
    repository.write('.gitignore', '*.env\n');
    await write();
    await write({ file: other });
    await command('giveTerminalsWebhookSecret', { variable: 'WEBHOOK_SECRET' });
    const terminal = vscode.window.createTerminal('holds the secret');
    try {
      writeFileSync(other, "A=1\nWEBHOOK_SECRET='first' # mine\n");
      await shownMessages();
      await answerPrompts({ verb: 'Update' });
      await command('rotateWebhookSecret', {});
      const [told] = await shownMessages();
      assert.deepEqual(told, {
        message:
          'Default webhook secret rotated. The previous one verifies for ten more minutes. ' +
          'Still with the previous webhook secret: env/.env, env/other.env. ' +
          'Open terminals keep the previous secret until they are closed.',
        verbs: ['Update'],
      });
      await waitFor('both files', () => !(text() + text(other)).includes('first'));
      assert.match(text(other), /^A=1\nWEBHOOK_SECRET=[\w-]{43} # mine\n$/);
    } finally {
      terminal.dispose();
      await command('takeTerminalsWebhookSecret', {});
    }
    // What is up to date, was taken out, was written by hand or is gone is not named.
    await command('setWebhookSecret', { secret: 'second' });
    assert.equal((await shownMessages()).length, 1);
    writeFileSync(file, 'WEBHOOK_SECRET=of mine\n');
    rmSync(other);
    await command('setWebhookSecret', { secret: 'third' });
    assert.deepEqual(await shownMessages(), []);
    assert.equal(existsSync(other), false);
  });

  it('is named over a second change, and where an app gets its own, until its file is written', async () => {
    const ofApp = { projectId: 'p-env', appName: 'hello' };
    await command('addProject', { id: 'p-env', apps: [{ id: 'hello' }] });
    await write();
    await write({ ...ofApp, variable: 'HELLO_SECRET' });
    const names = async (change: Promise<unknown>) => {
      await shownMessages();
      await change;
      return (await shownMessages()).map(({ message }) => message.replace(/.*: /, ''));
    };
    try {
      // The other variable has the default secret, which is the one that it should have.
      assert.deepEqual(await names(command('setWebhookSecret', { ...ofApp, secret: 'of hello' })), [
        'env/.env.',
      ]);
      await write({ ...ofApp, variable: 'HELLO_SECRET' });
      assert.deepEqual(await names(command('rotateWebhookSecret', ofApp)), ['env/.env.']);
      assert.deepEqual(await names(command('rotateWebhookSecret', ofApp)), ['env/.env.']);
      await write({ ...ofApp, variable: 'HELLO_SECRET' });
      await command('rename', { projectId: 'p-env', appId: 'hello', name: 'renamed' });
      const renamed = { ...ofApp, appName: 'renamed' };
      assert.deepEqual(await names(command('removeWebhookSecret', renamed)), ['env/.env.']);
    } finally {
      await command('removeProject', { projectId: 'p-env' });
    }
    // Nobody has that variable any more.
    writeFileSync(file, text().replace('WEBHOOK_SECRET=first\n', ''));
    assert.deepEqual(await names(command('setWebhookSecret', { secret: 'second' })), []);
  });

  it('is known in the files that a former version wrote again by itself', async () => {
    const known = [{ uri: vscode.Uri.file(file).toString(), variable: 'WEBHOOK_SECRET' }];
    const memento = { keys: () => [], get: () => known, update: () => Promise.resolve() };
    const store = new WebhookSecretStore(new MemorySecrets(), { all: () => [] }, Date.now);
    const files = new WrittenFiles(
      memento,
      { store: () => Promise.resolve(store) },
      { find: () => undefined },
    );
    await store.set('now');
    writeFileSync(file, Buffer.from('\ufeffWEBHOOK_SECRET="before"\n'));
    assert.deepEqual(await files.behind(['before', 'now']), known);
    writeFileSync(file, 'WEBHOOK_SECRET=now\n');
    assert.deepEqual(await files.behind(['before', 'now']), []);
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
      await assert.rejects(write(), /cannot be written: the disk is full/);
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
    await assert.rejects(write(), /cannot be written to a \.env file/);
    assert.equal(existsSync(file), false);
  });

  it('is not written again by the button once git does not ignore the file any more', async () => {
    const other = join(folder, 'other.env');
    repository.write('.gitignore', '*.env\n');
    await write();
    await write({ file: other });
    repository.write('.gitignore', 'other.env\n');
    await shownMessages();
    await answerPrompts({ verb: 'Update' });
    await command('setWebhookSecret', { secret: 'second' });
    await waitFor('the other', () => text(other).includes('second') || undefined);
    assert.equal(text(), 'WEBHOOK_SECRET=first\n');
    const [, refused] = await shownMessages();
    assert.match(refused?.message ?? '', /Git does not ignore env\/\.env/);
    await command('reset', { confirmed: true });
  });

  it('is written as it was answered once git ignores the file', async () => {
    writeFileSync(file, '');
    repository.write('.gitignore', '');
    const tryAgain = {
      get verb() {
        repository.write('.gitignore', '.env\n');
        return 'Try Again';
      },
    };
    await answerPrompts('env/.env', 'MY_SECRET', tryAgain);
    await command('writeWebhookSecret');
    await waitFor('the secret', () => text() === 'MY_SECRET=first\n');
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
      await assert.rejects(write(), /outside the workspace/);
      symlinkSync(outside, join(folder, 'linked'), 'junction');
      await assert.rejects(write({ file: join(folder, 'linked/.env') }), /outside the workspace/);
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
    await assert.rejects(write(), /cannot be written: it is a folder/);
    await assert.rejects(write({ file: join(folder, 'none/.env') }), /cannot be written: it does not exist/);
  });

  it('does not cross what is being edited', async () => {
    writeFileSync(file, 'A=1\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await withoutAutoSave(async () => {
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'B=2\n'));
      await assert.rejects(write(), /has unsaved changes/);
      assert.equal(text(), 'A=1\n');
      assert.equal(await editor.document.save(), true);
    });
    await write();
    assert.equal(text(), 'B=2\nA=1\nWEBHOOK_SECRET=first\n');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
