import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { waitFor } from '../support/time/waitFor.ts';
import { answerPrompts, command, setSetting, shownMessages } from '../support/editor/inEditor.ts';

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

const variables = ['WEBHOOK_SECRET', 'MY_SECRET'];

describe('the webhook secret, or a token, in terminals', () => {
  let folder: string;
  let count = 0;
  /** What a new terminal has of the variables, none of which is empty. */
  const terminal = async (names = variables): Promise<string> => {
    const file = join(folder, String((count += 1)));
    const windows = process.platform === 'win32';
    const said = names.map((name) => (windows ? `%${name}%` : `$${name}`)).join(',');
    const line = `echo [${said}] > "${file}"`;
    const shown = vscode.window.createTerminal(
      windows
        ? { name: 'test', shellPath: 'cmd.exe', shellArgs: ['/d', '/c', line] }
        : { name: 'test', shellPath: '/bin/sh', shellArgs: ['-c', line] },
    );
    try {
      const text = await waitFor('the line', () => readFileSync(file, 'utf8').trim());
      return text.replaceAll(/%\w+%/g, '');
    } finally {
      shown.dispose();
    }
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-'));
    await command('reset', { confirmed: true });
    await command('setWebhookSecret', { secret: 'first' });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => command('takeTerminalsWebhookSecret'));
  afterEach(() => command('takeTerminalsToken'));

  it('is there once it was given, under a name that is asked for and remembered', async () => {
    assert.equal(await terminal(), '[,]');
    await answerPrompts({ kept: true });
    assert.deepEqual(await command('giveTerminalsWebhookSecret'), { variable: 'WEBHOOK_SECRET' });
    assert.equal(await terminal(), '[first,]');
    await answerPrompts('MY_SECRET');
    await command('giveTerminalsWebhookSecret');
    assert.equal(await terminal(), '[,first]');
    await answerPrompts({ kept: true });
    assert.deepEqual(await command('giveTerminalsWebhookSecret'), { variable: 'MY_SECRET' });
  });

  it('is the one that it was changed for, and is there no more once it was taken back', async () => {
    await command('giveTerminalsWebhookSecret', { variable: 'WEBHOOK_SECRET' });
    await command('setWebhookSecret', { secret: 'second' });
    await waitFor('the change', async () => ((await terminal()) === '[second,]' ? true : undefined));
    await command('takeTerminalsWebhookSecret');
    assert.equal(await terminal(), '[,]');
    await command('setWebhookSecret', { secret: 'first' });
    assert.equal(await terminal(), '[,]');
  });

  it('is the token of the account that was asked for, as that changes, and under prod after a question', async () => {
    const projectId = 'terminals';
    const token = () => terminal(['RUNHOOK_TOKEN']);
    const [ci, release] = ['ci', 'release'].map((serviceAccountId) => ({ projectId, serviceAccountId }));
    for (const id of ['baseUrl', 'proxyUrl']) await setSetting(id, 'https://service.example');
    await command('addProject', {
      id: projectId,
      serviceAccounts: [{ id: 'ci' }, { id: 'release', environment: 'prod' }],
    });
    try {
      await assert.rejects(command('giveTerminalsToken', ci), /token/);
      await command('setToken', { ...ci, token: 'of-ci' });
      await command('setToken', { ...release, token: 'of-release' });
      assert.equal(await token(), '[]', 'nobody has asked for it');
      assert.deepEqual(await command('giveTerminalsToken', ci), { variable: 'RUNHOOK_TOKEN' });
      assert.equal(await token(), '[of-ci]');
      await answerPrompts(false);
      await assert.rejects(command('giveTerminalsToken', release), /not confirmed/);
      assert.equal(await token(), '[of-ci]');
      await answerPrompts(true);
      await command('giveTerminalsToken', release);
      assert.equal(await token(), '[of-release]');
      const open = vscode.window.createTerminal();
      await shownMessages();
      await command('setToken', { ...release, token: 'rotated' });
      const told = (await shownMessages()).map(({ message, verbs }) => [message, ...verbs]);
      assert.deepEqual(told, [
        ['Open terminals keep the previous token until they are closed.', 'New Terminal'],
      ]);
      open.dispose();
      await waitFor('the change', async () => ((await token()) === '[rotated]' ? true : undefined));
      await command('takeTerminalsToken');
      assert.equal(await token(), '[]');
      await command('giveTerminalsToken', ci);
      await command('deleteToken', ci);
      await waitFor('its end', async () => ((await token()) === '[]' ? true : undefined));
    } finally {
      await command('removeProject', { projectId });
      for (const id of ['baseUrl', 'proxyUrl']) await setSetting(id, undefined);
    }
  });

  it('is given by no name that programs cannot read, or need for something else', async () => {
    for (const variable of ['', 'A-B', 'a=b']) {
      await assert.rejects(
        command('giveTerminalsWebhookSecret', { variable }),
        /letters, digits and underscores/,
      );
    }
    for (const variable of ['PATH', 'Path', 'RUNHOOK_NODE', 'RUNHOOK_TOKEN']) {
      await assert.rejects(command('giveTerminalsWebhookSecret', { variable }), /reserved for other uses/);
    }
    assert.equal(await terminal(), '[,]');
  });
});
