import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { waitFor } from '../../support/time/waitFor.ts';

interface Repository {
  status(): Promise<void>;
}

/** As much of the Git extension as tests use. */
interface GitExtension {
  /** It stays so, whatever the setting says afterwards; but no repository is opened then. */
  readonly enabled: boolean;
  readonly onDidChangeEnablement: vscode.Event<boolean>;
  getAPI(version: 1): {
    getRepository(root: vscode.Uri): Repository | null;
  };
}

export const folder = (): vscode.Uri => vscode.workspace.workspaceFolders![0]!.uri;
export const fileUri = (name: string): vscode.Uri => vscode.Uri.joinPath(folder(), name);

/** The warnings of Runhook on a file. */
export const ours = (uri: vscode.Uri): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'Runhook');

/** The same, once there are as many as expected. */
export async function warnings(uri: vscode.Uri, count: number): Promise<vscode.Diagnostic[]> {
  return waitFor(`${count} warnings on ${uri.path}`, () => {
    const found = ours(uri);
    return found.length === count ? found : undefined;
  });
}

/** The quick fix of a warning that has this title. */
export async function fixOf(
  uri: vscode.Uri,
  warning: vscode.Diagnostic,
  title: string,
): Promise<vscode.CodeAction> {
  return waitFor(`the fix "${title}"`, async () => {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      warning.range,
    );
    const action = actions.find((one) => one.title === title);
    // The editor forgets the commands of the actions that it gives a moment later, on a busy machine too soon.
    return action?.edit === undefined && action?.command === undefined ? undefined : action;
  });
}

/** Writes a file of the workspace, and shows it. */
export async function open(name: string, text: string): Promise<vscode.TextDocument> {
  const uri = fileUri(name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

/** Switches the Git extension on, and opens the repository of the workspace's folder in it. */
export async function useGit(): Promise<Repository> {
  const git = await gitExtension();
  const enabled = git.enabled || new Promise((resolve) => git.onDidChangeEnablement(resolve));
  await vscode.workspace.getConfiguration('git').update('enabled', true, vscode.ConfigurationTarget.Global);
  await enabled;
  // One that a test before had in this place may be closing. One that was closed is opened by the command alone.
  return waitFor('the repository of the workspace', async () => {
    await vscode.commands.executeCommand('git.openRepository', folder().fsPath);
    return git.getAPI(1).getRepository(folder());
  });
}

/** Has the Git extension, which goes on, close the repository of the workspace's folder. */
export async function closeRepository(): Promise<void> {
  const git = await gitExtension();
  await waitFor('the repository of the workspace to be closed', async () => {
    if (git.getAPI(1).getRepository(folder()) === null) return true;
    await vscode.commands.executeCommand('git.close', folder());
    return false;
  });
}

async function gitExtension(): Promise<GitExtension> {
  const git = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
  assert.ok(git, 'the Git extension is not there');
  return git;
}

export async function leaveGit(): Promise<void> {
  await vscode.workspace.getConfiguration('git').update('enabled', false, vscode.ConfigurationTarget.Global);
}

export async function remove(...names: string[]): Promise<void> {
  for (const name of names) {
    await vscode.workspace.fs.delete(fileUri(name), { recursive: true }).then(undefined, () => undefined);
  }
}
