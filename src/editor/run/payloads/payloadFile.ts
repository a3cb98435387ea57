import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { UserError } from '../../../model/text/userError.ts';
import { ifThere } from '../../ifThere.ts';
import type { AppRef } from '../../projects/feature.ts';

/** A payload of an app, and where it is kept: on this machine, in Runhook's storage, or in a folder of the workspace. */
export interface PayloadFile extends AppRef {
  /** The payload's own name. */
  name: string;
  uri: vscode.Uri;
  place: 'machine' | 'workspace';
}

export async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await ifThere(vscode.workspace.fs.stat(uri))) !== undefined;
  } catch (error) {
    // A file stands where its folder would be.
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotADirectory') return false;
    throw error;
  }
}

/** What is written in a file: in its document where that is open, saved or not. */
export async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Gives a file another place. An open document goes along, saved first. @throws UserError where the editor does not */
export async function moveFile(from: vscode.Uri, to: vscode.Uri, overwrite = false): Promise<void> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === from.toString());
  if (open?.isDirty === true && !(await open.save())) throw notChanged();
  await change((edit) => edit.renameFile(from, to, { overwrite }));
  // Whatever the editor says: nothing is lost as long as it is in one of the two places.
  if (!(await isThere(to))) throw notChanged();
}

export async function copyFile(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  const text = new TextEncoder().encode(await textOf(from));
  try {
    await vscode.workspace.fs.writeFile(to, text);
  } catch (error) {
    throw notChanged(error);
  }
}

/** An open document is closed. */
export async function deleteFile(uri: vscode.Uri): Promise<void> {
  await change((edit) => edit.deleteFile(uri));
}

/** @throws UserError where the app has a payload of that name in that place */
export async function refuseTaken(uri: vscode.Uri, { appName }: AppRef, name: string): Promise<void> {
  if (!(await isThere(uri))) return;
  throw new UserError(t('{0} has a payload "{1}" already.', plainText(appName), plainText(name)));
}

/** Changes files by way of the editor, so that what is open of them follows. */
async function change(describe: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  describe(edit);
  let isDone = false;
  try {
    isDone = await vscode.workspace.applyEdit(edit);
  } catch (error) {
    throw notChanged(error);
  }
  if (!isDone) throw notChanged();
}

function notChanged(cause?: unknown): UserError {
  return new UserError(
    t('The editor did not change the payload. Is it still there, and may its folder be written to?'),
    { cause, remedies: [{ kind: 'tryAgain' }] },
  );
}
