import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { moveToken } from '../../../src/editor/projects/moveTokenCommand.ts';
import { ProjectQuestions } from '../../../src/editor/projects/projectQuestions.ts';
import { TokenLeakWatch } from '../../../src/editor/projects/tokenLeakWatch.ts';
import { AnsweredPrompts } from '../../support/answeredPrompts.ts';
import { answerPrompts } from '../../support/inEditor.ts';
import { jwt } from '../../support/jwt.ts';
import { TreeRig } from './treeRig.ts';

const token = 'a-stored-token-4711';
const account = { projectId: 'leak', serviceAccountId: 'sa' };
const folder = () => vscode.workspace.workspaceFolders![0]!.uri;
const fileUri = (name: string) => vscode.Uri.joinPath(folder(), name);

interface GitExtension {
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

const ours = (uri: vscode.Uri) =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Runhook');

/** The warnings of Runhook on a file, once there are as many as expected. */
async function warnings(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  if (ours(uri).length === count) return ours(uri);
  return new Promise((resolve) => {
    const changes = vscode.languages.onDidChangeDiagnostics(() => {
      if (ours(uri).length !== count) return;
      changes.dispose();
      resolve(ours(uri));
    });
  });
}

async function open(name: string, text: string): Promise<vscode.TextDocument> {
  const uri = fileUri(name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

describe('a token in a file of the workspace', () => {
  before(async () => {
    const serviceAccounts = [{ id: account.serviceAccountId }, { id: 'sa-2' }];
    const project = { id: account.projectId, serviceAccounts };
    await vscode.commands.executeCommand('runhook.addProject', project);
    await vscode.commands.executeCommand('runhook.setToken', { ...account, token });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace
      .getConfiguration('git')
      .update('enabled', false, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('runhook.removeProject', { projectId: account.projectId });
    for (const name of [
      'leak.env',
      'leak.yml',
      'other.yml',
      'ignored.env',
      'seen.env',
      '.gitignore',
      '.git',
    ]) {
      await vscode.workspace.fs.delete(fileUri(name), { recursive: true });
    }
  });

  it('is warned of, and moved by a code action', async () => {
    const document = await open('leak.env', `A=1\nTOKEN=${token}\n`);
    const [warning] = await warnings(document.uri, 1);
    assert.equal(document.getText(warning!.range), token);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      warning!.range,
    );
    const action = actions.find(({ title }) => title === 'Move the token to the secret store');
    const { command, arguments: given = [] } = action!.command!;
    await vscode.commands.executeCommand(command, ...(given as unknown[]));
    assert.equal(document.getText(), 'A=1\nTOKEN=$RUNHOOK_TOKEN\n');
    await warnings(document.uri, 0);
    await document.save();
  });

  it('is warned of where its claims name a project, and moved to the account that it is of', async () => {
    const [uri, claimed] = [fileUri('leak.yml'), jwt({ project_id: account.projectId })];
    const document = await open('leak.yml', `token: ${claimed}\n`);
    const [warning] = await warnings(document.uri, 1);
    assert.equal(document.getText(warning!.range), claimed);
    await answerPrompts('sa-2');
    const [start, end] = [warning!.range.start, warning!.range.end].map((at) => document.offsetAt(at));
    await vscode.commands.executeCommand('runhook.moveTokenToSecretStore', {
      ...{ uri: uri.toString(), start, end },
    });
    assert.equal(document.getText(), 'token: $RUNHOOK_TOKEN\n');
    assert.deepEqual(await answerPrompts(), []);
    // What is stored counts as a token wherever it stands, and whatever is around it.
    await document.save();
    const other = await open('other.yml', `"${claimed}"`);
    await warnings(other.uri, 1);
  });

  it('is left alone in a file that git ignores', async () => {
    execFileSync('git', ['init', '--quiet'], { cwd: folder().fsPath });
    await vscode.workspace.fs.writeFile(fileUri('.gitignore'), Buffer.from('ignored.env\n'));
    const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
    assert.ok(git, 'the Git extension is not there');
    const enabled = new Promise((resolve) => git.onDidChangeEnablement(resolve));
    await vscode.workspace.getConfiguration('git').update('enabled', true, vscode.ConfigurationTarget.Global);
    await enabled;
    await git.getAPI(1).openRepository(folder());
    const ignored = await open('ignored.env', token);
    const seen = await open('seen.env', token);
    await warnings(seen.uri, 1);
    // Opened before the one that has its warning, and looked at in the same way.
    await warnings(ignored.uri, 0);
    await ignored.save();
    assert.deepEqual(await warnings(ignored.uri, 0), []);
  });
});

describe('what looks for tokens in files', () => {
  /** One for each document: the editor keeps the text of one whose file was deleted. */
  const names = ['first.txt', 'second.txt', 'third.txt', 'fourth.txt', 'fifth.txt', 'sixth.txt'];
  const [stored, foreign] = ['another-stored-token-0815', jwt({ project_id: 'p-sandbox' })];
  let rig: TreeRig;
  let watch: TokenLeakWatch;
  /** How git answers. */
  let isIgnored: () => Promise<boolean>;

  beforeEach(async () => {
    rig = new TreeRig();
    await rig.start();
    await rig.projects.setToken('p-sandbox', 'sa-ci', stored);
    isIgnored = () => Promise.resolve(false);
    const { event } = new vscode.EventEmitter<void>();
    const git = { ignores: () => isIgnored(), onDidChange: event };
    watch = new TokenLeakWatch(rig.projects, rig.tokens, git, rig.log);
  });
  afterEach(async () => {
    watch.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of names)
      await vscode.workspace.fs.delete(fileUri(name)).then(undefined, () => undefined);
    await rig.stop();
  });

  /** Where the text of a document has a token. */
  const placeOf = (document: vscode.TextDocument, text: string) => {
    const start = document.getText().indexOf(text);
    return { uri: document.uri.toString(), start, end: start + text.length };
  };
  const replaceAll = async (document: vscode.TextDocument, text: string) => {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
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
    await replaceAll(first, `${stored}\n`);
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
    await replaceAll(document, `TOKEN=${stored}`);
    answer.resolve(false);
    const [warning] = await warnings(document.uri, 1);
    assert.equal(document.getText(warning!.range), stored);
    await document.save();
  });

  it('moves a token whose owner is asked for, and nothing where the file has changed meanwhile', async () => {
    const prompts = new AnsweredPrompts();
    const questions = new ProjectQuestions(rig.projects, prompts);
    const document = await open('fourth.txt', `A=${foreign}\n`);
    const move = async () => moveToken(placeOf(document, foreign), rig.projects, rig.tokens, questions);
    const pick = prompts.pick.bind(prompts);
    prompts.answers = ['sa-gone'];
    prompts.pick = async (title, choices) => {
      await replaceAll(document, `# a comment that comes first\nA=${foreign}\n`);
      return pick(title, choices);
    };
    await assert.rejects(move(), /The file has changed/);
    assert.equal(document.getText(), `# a comment that comes first\nA=${foreign}\n`);
    assert.equal(await rig.projects.storedToken('p-sandbox', 'sa-gone'), rig.service.address.token);
    prompts.answers = ['sa-gone'];
    prompts.pick = pick;
    await move();
    assert.equal(document.getText(), '# a comment that comes first\nA=$RUNHOOK_TOKEN\n');
    assert.equal(await rig.projects.storedToken('p-sandbox', 'sa-gone'), foreign);
    await document.save();
  });
});
