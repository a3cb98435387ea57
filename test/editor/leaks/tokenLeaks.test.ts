import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { EditorGit } from '../../../src/editor/leaks/editorGit.ts';
import { type HeldNeedles, TokenLeakWatch, heldNeedles } from '../../../src/editor/leaks/tokenLeakWatch.ts';
import { moveToken } from '../../../src/editor/projects/accountCommands.ts';
import type { AccountRef } from '../../../src/service/projects/project.ts';
import { ProjectQuestions } from '../../../src/editor/projects/projectQuestions.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { answerPrompts, command, typeText } from '../../support/editor/inEditor.ts';
import { jwt } from '../../support/service/jwt.ts';
import { TreeRig } from '../projects/treeRig.ts';
import {
  closeRepository,
  fileUri,
  fixOf,
  folder,
  leaveGit,
  open,
  ours,
  remove,
  useGit,
  warnings,
} from './leakWarnings.ts';

const token = 'a-stored-token-4711';
const account = { projectId: 'leak', serviceAccountId: 'sa' };
describe('a token in a file of the workspace', () => {
  before(async () => {
    // A repository of its own: the one around it ignores the whole workspace.
    execFileSync('git', ['init', '--quiet'], { cwd: folder().fsPath });
    const serviceAccounts = [{ id: account.serviceAccountId }, { id: 'sa-2' }];
    const project = { id: account.projectId, serviceAccounts };
    await command('addProject', project);
    await command('setToken', { ...account, token });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveGit();
    await command('removeProject', { projectId: account.projectId });
    await remove(
      'leak.env',
      'own.env',
      'leak.yml',
      'other.yml',
      'ignored.env',
      'seen.env',
      '.gitignore',
      '.git',
    );
  });

  it('is warned of, and moved by a code action', async () => {
    const document = await open('leak.env', `A=1\nTOKEN=${token}\n`);
    const [warning] = await warnings(document.uri, 1);
    assert.equal(document.getText(warning!.range), token);
    const action = await fixOf(document.uri, warning!, 'Keep the token only in the secret store');
    const { command, arguments: given = [] } = action.command!;
    await vscode.commands.executeCommand(command, ...(given as unknown[]));
    assert.equal(document.getText(), 'A=1\nTOKEN=$RUNHOOK_TOKEN\n');
    await warnings(document.uri, 0);
    await document.save();
  });

  it('is moved with its line where that only sets the variable, which would be set to itself', async () => {
    const document = await open('own.env', `A=1\nexport RUNHOOK_TOKEN="${token}"\nB=2\n`);
    const [warning] = await warnings(document.uri, 1);
    const action = await fixOf(document.uri, warning!, 'Keep the token only in the secret store');
    await vscode.commands.executeCommand(
      action.command!.command,
      ...(action.command!.arguments as unknown[]),
    );
    assert.equal(document.getText(), 'A=1\nB=2\n');
    await warnings(document.uri, 0);
    await document.save();
  });

  it('is warned of where its claims name a project, and moved to the account that it is of', async () => {
    const [uri, claimed] = [fileUri('leak.yml'), jwt({ project_id: account.projectId })];
    const document = await open('leak.yml', `token: ${claimed}\n`);
    const [warning] = await warnings(document.uri, 1);
    assert.equal(document.getText(warning!.range), claimed);
    await fixOf(uri, warning!, 'Move the token to the secret store…');
    await answerPrompts('sa-2');
    const [start, end] = [warning!.range.start, warning!.range.end].map((at) => document.offsetAt(at));
    await command('moveTokenToSecretStore', {
      ...{ uri: uri.toString(), start, end },
    });
    assert.equal(document.getText(), 'token: $RUNHOOK_TOKEN\n');
    assert.deepEqual(await answerPrompts(), []);
    // What is stored counts as a token wherever it stands, and whatever is around it.
    await document.save();
    const other = await open('other.yml', `"${claimed}"`);
    await warnings(other.uri, 1);
  });

  it('is left alone in a file that git ignores, whether or not the editor has the repository open', async () => {
    await vscode.workspace.fs.writeFile(fileUri('.gitignore'), Buffer.from('ignored.env\n'));
    await useGit();
    await closeRepository();
    const ignored = await open('ignored.env', token);
    const seen = await open('seen.env', token);
    await warnings(seen.uri, 1);
    // Opened before the one that has its warning, and looked at in the same way.
    await warnings(ignored.uri, 0);
    const git = new EditorGit();
    try {
      assert.equal(await git.ignores(ignored.uri), true);
      assert.equal(await git.ignores(seen.uri), false);
    } finally {
      git.dispose();
    }
    await ignored.save();
    await warnings(ignored.uri, 0);
  });
});

describe('what looks for tokens in files', () => {
  /** One for each document: the editor keeps the text of one whose file was deleted. */
  const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map((name) => `${name}.txt`);
  const [stored, foreign] = ['another-stored-token-0815', jwt({ project_id: 'p-sandbox' })];
  let rig: TreeRig;
  let needles: HeldNeedles;
  let watch: TokenLeakWatch;
  /** How git answers. */
  let isIgnored: () => Promise<boolean>;

  beforeEach(async () => {
    rig = new TreeRig();
    await rig.start();
    await rig.projects.setToken(rig.ci, stored);
    isIgnored = () => Promise.resolve(false);
    const { event } = new vscode.EventEmitter<void>();
    const git = { ignores: () => isIgnored(), onDidChange: event };
    needles = heldNeedles({ projects: rig.projects, tokens: rig.tokens, secrets: rig.webhookSecrets });
    watch = new TokenLeakWatch({ needles, git, log: rig.log });
  });
  afterEach(async () => {
    watch.dispose();
    needles.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await remove(...names);
    await rig.stop();
  });

  /** Where the text of a document has a token. */
  const placeOf = (document: vscode.TextDocument, text: string) => {
    const start = document.getText().indexOf(text);
    return { uri: document.uri.toString(), start, end: start + text.length };
  };

  it('looks again at the next file that is opened, where the secret store could not be read', async () => {
    const read = rig.secrets.get.bind(rig.secrets);
    const failed = Promise.withResolvers<undefined>();
    rig.secrets.get = () => {
      failed.resolve(undefined);
      return Promise.reject(new Error('the keyring is locked'));
    };
    const first = await open('first.txt', stored);
    await failed.promise;
    rig.secrets.get = read;
    const second = await open('second.txt', stored);
    await warnings(second.uri, 1);
    assert.deepEqual(ours(first.uri), []);
    await typeText(first.uri, `${stored}\n`);
    await first.save();
    await warnings(first.uri, 1);
  });

  it('marks no file that was closed while git was asked', async () => {
    const answer = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<undefined>();
    isIgnored = () => {
      asked.resolve(undefined);
      return answer.promise;
    };
    const first = await open('sixth.txt', stored);
    await asked.promise;
    const closed = new Promise<void>((resolve) => {
      const closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.toString() !== first.uri.toString()) return;
        closing.dispose();
        resolve();
      });
    });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    // The editor keeps a document for a while, unless it has deleted the file.
    const deletion = new vscode.WorkspaceEdit();
    deletion.deleteFile(first.uri);
    await vscode.workspace.applyEdit(deletion);
    await closed;
    answer.resolve(false);
    isIgnored = () => Promise.resolve(false);
    await warnings((await open('fifth.txt', stored)).uri, 1);
    assert.deepEqual(ours(first.uri), []);
  });

  it('marks where the token stands once git has answered', async () => {
    const answer = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<undefined>();
    isIgnored = () => {
      asked.resolve(undefined);
      return answer.promise;
    };
    const document = await open('third.txt', stored);
    await asked.promise;
    await typeText(document.uri, `TOKEN=${stored}`);
    answer.resolve(false);
    const [warning] = await warnings(document.uri, 1);
    assert.equal(document.getText(warning!.range), stored);
    await document.save();
  });

  it('moves a token whose owner is asked for, and nothing where the file has changed meanwhile', async () => {
    const prompts = new AnsweredPrompts();
    const questions = new ProjectQuestions(rig.projects, prompts);
    const document = await open('fourth.txt', `A=${foreign}\n`);
    const refused: number[] = [];
    const check = {
      of: (_: unknown, ref: AccountRef) => (text: string) => {
        assert.deepEqual([ref, text], [rig.gone, foreign]);
        return Promise.resolve(undefined);
      },
      refusal: () => refused[0],
    };
    const keep = (ref: AccountRef, text: string) => rig.projects.setToken(ref, text);
    const parts = { projects: rig.projects, tokens: rig.tokens, questions, check, keep };
    const move = async () => moveToken(placeOf(document, foreign), parts);
    const pick = prompts.pick.bind(prompts);
    prompts.answers = ['sa-gone'];
    prompts.pick = async (title, choices) => {
      await typeText(document.uri, `# a comment that comes first\nA=${foreign}\n`);
      return pick(title, choices);
    };
    await assert.rejects(move(), /The file has changed/);
    assert.equal(document.getText(), `# a comment that comes first\nA=${foreign}\n`);
    assert.equal(await rig.projects.storedToken(rig.gone), rig.service.address.token);
    prompts.pick = pick;
    prompts.answers = ['sa-gone', false];
    await assert.rejects(move(), /Cancelled/);
    assert.equal(await rig.projects.storedToken(rig.gone), rig.service.address.token);
    // The question says what becomes of which.
    assert.match(
      prompts.asked.at(-1) ?? '',
      /\nThe one in the file takes its place\. The stored one is deleted, and the service does not show it again\.\n/,
    );
    refused.push(401);
    prompts.answers = ['sa-gone', false];
    await assert.rejects(move(), /Cancelled/);
    assert.match(
      prompts.asked.at(-1) ?? '',
      /\nThe service rejected the one in the file \(401\)\. The one in the file takes/,
    );
    await rig.projects.deleteToken(rig.gone);
    prompts.answers = ['sa-gone', false];
    await assert.rejects(move(), /Cancelled/);
    assert.match(prompts.asked.at(-1) ?? '', /^Store this token for sa-gone\?\nThe service rejected/);
    assert.equal(await rig.projects.storedToken(rig.gone), undefined);
    assert.equal(document.getText(), `# a comment that comes first\nA=${foreign}\n`);
    prompts.answers = ['sa-gone', true];
    await move();
    assert.equal(document.getText(), '# a comment that comes first\nA=$RUNHOOK_TOKEN\n');
    assert.equal(await rig.projects.storedToken(rig.gone), foreign);
    await document.save();
  });
});
