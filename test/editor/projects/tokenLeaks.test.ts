import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';
import { jwt } from '../../support/jwt.ts';

const token = 'a-stored-token-4711';
const account = { projectId: 'leak', serviceAccountId: 'sa' };
const folder = () => vscode.workspace.workspaceFolders![0]!.uri;

interface GitExtension {
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
}

/** The warnings of Runhook on a file, once there are as many as expected. */
async function warnings(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  const ours = () => vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Runhook');
  if (ours().length === count) return ours();
  return new Promise((resolve) => {
    const changes = vscode.languages.onDidChangeDiagnostics(() => {
      if (ours().length !== count) return;
      changes.dispose();
      resolve(ours());
    });
  });
}

async function open(name: string, text: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.joinPath(folder(), name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

describe('a token in a file of the workspace', () => {
  before(async () => {
    const project = { id: account.projectId, serviceAccounts: [{ id: account.serviceAccountId }] };
    await vscode.commands.executeCommand('runhook.addProject', project);
    await vscode.commands.executeCommand('runhook.setToken', { ...account, token });
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace
      .getConfiguration('git')
      .update('enabled', false, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('runhook.removeProject', { projectId: account.projectId });
    for (const name of ['leak.env', 'leak.yml', 'ignored.env', 'seen.env', '.gitignore', '.git']) {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder(), name), { recursive: true });
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

  it('is warned of where its claims name a project', async () => {
    const document = await open('leak.yml', `token: ${jwt({ project_id: account.projectId })}\n`);
    await warnings(document.uri, 1);
  });

  it('is left alone in a file that git ignores', async () => {
    execFileSync('git', ['init', '--quiet'], { cwd: folder().fsPath });
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder(), '.gitignore'),
      Buffer.from('ignored.env\n'),
    );
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
