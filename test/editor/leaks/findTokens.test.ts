import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { KnownGit } from '../../../src/editor/leaks/editorGit.ts';
import { findTokensCommands, type FoundTokens } from '../../../src/editor/leaks/findTokensCommand.ts';
import type { UserError } from '../../../src/shared/text/userError.ts';
import { GitRepository } from '../../support/files/gitRepository.ts';
import { command, eventually, shownMessages, typeText } from '../../support/editor/inEditor.ts';
import { fileUri, fixOf, folder, leaveGit, open, ours, remove, useGit, warnings } from './leakWarnings.ts';

const token = 'a-token-to-be-found-4711';
const secret = 'a-webhook-secret-0815';
const account = { projectId: 'search', serviceAccountId: 'sa' };

const files = {
  'search/app.env': `A=1\nTOKEN=${token}\n`,
  'search/hook.yml': `hook: '${secret}'\n`,
  'search/both.txt': `${token}\r\n${secret}\r\n`,
  'search/nothing.txt': 'a text',
  'search/server.ts': `const secret = '${secret}';\n`,
  'search/program.bin': Buffer.from(`\0${token}`),
  'search/large.log': '',
  'search/node_modules/a/index.js': token,
  'search/ignored/file.txt': token,
};

const write = (name: string, content: string | Uint8Array) => {
  mkdirSync(dirname(fileUri(name).fsPath), { recursive: true });
  writeFileSync(fileUri(name).fsPath, content);
};

describe('finding tokens in the workspace', () => {
  /** What the command found in the files of this test, as `<file>:<line> <kind>`. */
  const find = async () => {
    const result = await command<FoundTokens>('findTokens', {});
    assert.ok(!JSON.stringify(result).includes(token) && !JSON.stringify(result).includes(secret));
    const ofTest = result.found.filter(({ uri }) => uri.startsWith(fileUri('search').toString()));
    const found = ofTest.map(
      ({ uri, line, kind }) => `${uri.slice(fileUri('search').toString().length + 1)}:${line} ${kind}`,
    );
    return { ...result, found: found.sort() };
  };

  before(async () => {
    await command('addProject', { id: account.projectId, serviceAccounts: [{ id: 'sa' }] });
    await command('setToken', { ...account, token });
    await command('setWebhookSecret', { projectId: account.projectId, secret });
    for (const [name, content] of Object.entries(files)) write(name, content);
    truncateSync(fileUri('search/large.log').fsPath, 6_000_000);
    symlinkSync('.', fileUri('search/itself').fsPath);
    symlinkSync('/', fileUri('search/root').fsPath);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await command('removeProject', { projectId: account.projectId });
    await leaveGit();
    await remove('search', '.git');
    // Marks of what is gone go too.
    for (const name of Object.keys(files)) await warnings(fileUri(name), 0);
  });

  it('is refused where there is no git, or it lists nothing', async () => {
    const refused = (known: KnownGit | undefined, reason: (error: UserError) => boolean) => {
      const commands = findTokensCommands({
        needles: { read: () => Promise.resolve({ tokens: [token], webhookSecrets: [], projectIds: [] }) },
        git: { known: () => Promise.resolve(known) },
        watch: { mark: () => assert.fail('something was found') },
        log: vscode.window.createOutputChannel('Find Tokens', { log: true }),
      });
      return assert.rejects(Promise.resolve(commands.findTokens({}, 'caller')), reason);
    };
    await refused(undefined, ({ message, remedies }) => {
      assert.match(message, /Git lists the files to search, but the editor found no Git/);
      const [settings, again] = remedies;
      return settings?.kind === 'openEditorSettings' && again?.kind === 'tryAgain';
    });
    const unlisted = /Nothing was searched: Git does not list/;
    await refused({ program: '/nowhere/git', repositories: [] }, ({ message }) => unlisted.test(message));
  });

  it('looks through what git does not ignore, and marks it in files that nobody opened', async () => {
    const repository = new GitRepository(folder().fsPath);
    write('search/.gitignore', 'ignored\nnode_modules\n');
    write('search/deleted.txt', token);
    repository.git('add', 'search/deleted.txt');
    rmSync(fileUri('search/deleted.txt').fsPath);
    await useGit();
    const result = await find();
    assert.equal(result.end, 'complete');
    const { tooLarge, binary } = result.skipped;
    assert.ok(tooLarge >= 1 && binary >= 1, JSON.stringify(result.skipped));
    assert.deepEqual(result.found, [
      ...['app.env:2 token', 'both.txt:1 token', 'both.txt:2 webhookSecret', 'hook.yml:1 webhookSecret'],
      'server.ts:1 webhookSecret',
    ]);
    const [warning] = await warnings(fileUri('search/app.env'), 1);
    assert.deepEqual(warning!.range, new vscode.Range(1, 6, 1, 6 + token.length));
    assert.equal((await warnings(fileUri('search/both.txt'), 2)).length, 2);
    await warnings(fileUri('search/ignored/file.txt'), 0);
  });

  it('has a webhook secret replaced in its place', async () => {
    const uri = fileUri('search/hook.yml');
    const [warning] = await warnings(uri, 1);
    const document = await vscode.workspace.openTextDocument(uri);
    const fix = await fixOf(uri, warning!, 'Replace the secret with $WEBHOOK_SECRET');
    const rotation = await fixOf(uri, warning!, 'Rotate the webhook secret');
    assert.equal(rotation.command?.command, 'runhook.rotateWebhookSecret');
    await vscode.workspace.applyEdit(fix.edit!);
    assert.equal(document.getText(), "hook: '$WEBHOOK_SECRET'\n");
    await warnings(uri, 0);
    await document.save();
    assert.equal(readFileSync(uri.fsPath, 'utf8'), "hook: '$WEBHOOK_SECRET'\n");
  });

  it('has none replaced by the variable that it is the value of', async () => {
    const document = await open('search/own.env', `WEBHOOK_SECRET="${secret}"\n`);
    const [warning] = await warnings(document.uri, 1);
    await fixOf(document.uri, warning!, 'Rotate the webhook secret');
    const titles = (
      await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        warning!.range,
      )
    ).map(({ title }) => title);
    assert.ok(!titles.some((title) => title.startsWith('Replace the secret')), titles.join());
    // It is found no more.
    await typeText(document.uri, '');
    await document.save();
    await warnings(document.uri, 0);
  });

  it('has it replaced by what reads it where the file is a program', async () => {
    const uri = fileUri('search/server.ts');
    const [warning] = await warnings(uri, 1);
    const document = await vscode.workspace.openTextDocument(uri);
    const fix = await fixOf(uri, warning!, 'Replace the secret with process.env.WEBHOOK_SECRET');
    await vscode.workspace.applyEdit(fix.edit!);
    assert.equal(document.getText(), 'const secret = process.env.WEBHOOK_SECRET;\n');
    await shownMessages();
    await vscode.commands.executeCommand(fix.command!.command);
    const [told] = await shownMessages();
    assert.equal(told?.message, 'Your handler reads the secret from WEBHOOK_SECRET now.');
    assert.deepEqual(told.verbs, ['Give Terminals the Webhook Secret…', 'Write Webhook Secret to .env…']);
    await warnings(uri, 0);
    await document.save();
  });

  it('has a token moved in its place', async () => {
    const uri = fileUri('search/app.env');
    const document = await vscode.workspace.openTextDocument(uri);
    const [warning] = await warnings(uri, 1);
    const fix = await fixOf(uri, warning!, 'Keep the token only in the secret store');
    await vscode.commands.executeCommand(fix.command!.command, ...(fix.command!.arguments as unknown[]));
    await warnings(uri, 0);
    await document.save();
    assert.equal(readFileSync(uri.fsPath, 'utf8'), 'A=1\nTOKEN=$RUNHOOK_TOKEN\n');
  });

  it('takes a mark back where another program mends the file', async () => {
    const uri = fileUri('search/both.txt');
    await warnings(uri, 2);
    write('search/both.txt', `${token}\n`);
    await warnings(uri, 1);
    rmSync(uri.fsPath);
    await warnings(uri, 0);
    assert.deepEqual((await find()).found, []);
  });

  it('takes the text of an editor for that of the file, and the file again once it is closed', async () => {
    const uri = fileUri('search/nothing.txt');
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), `secret ${secret} `));
    assert.deepEqual((await find()).found, ['nothing.txt:1 webhookSecret']);
    assert.equal(ours(uri).length, 1);
    const { showWarningMessage } = vscode.window;
    const told = Promise.withResolvers<string>();
    Object.assign(vscode.window, {
      showWarningMessage: (message: string) => {
        told.resolve(message);
        return Promise.resolve(undefined);
      },
    });
    await vscode.commands.executeCommand('runhook.findTokens');
    Object.assign(vscode.window, { showWarningMessage });
    assert.match(await told.promise, /^Webhook secrets: 1\. Found in 1 of \d+ files searched\. Left out: /);
    // Another editor that is closing may have come to the front meanwhile.
    await eventually(async () => {
      if (vscode.window.activeTextEditor?.document !== document)
        await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const isShown = tabs.some(({ label }) => label === 'nothing.txt');
      return !document.isDirty && !isShown ? true : undefined;
    });
    await warnings(uri, 0);
    assert.deepEqual((await find()).found, []);
  });
});
