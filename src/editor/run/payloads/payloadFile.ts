import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { textOfFile } from '../../../model/text/textOfFile.ts';
import { UserError } from '../../../model/text/userError.ts';
import { ifThere } from '../../ifThere.ts';
import type { AppRef } from '../../projects/feature.ts';

/** A payload of an app, and its place: this machine (Runhook's storage) or a folder of the workspace. */
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
    // The path of its folder is a file.
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotADirectory') return false;
    throw error;
  }
}

/** The text of a file; if it is open, the text of its document, saved or not. */
export async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  return open?.getText() ?? textOfFile(await vscode.workspace.fs.readFile(uri));
}

/** Moves a file. An open document is saved first and follows. @throws UserError if the editor does not move it */
export async function moveFile(from: vscode.Uri, to: vscode.Uri, overwrite = false): Promise<void> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === from.toString());
  if (open?.isDirty === true && !(await open.save())) throw notChanged();
  await change((edit) => edit.renameFile(from, to, { overwrite }));
  // Checked no matter what the editor reports: nothing is lost as long as the file is at one of the two places.
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

/** Deletes a file. An open document of it is closed. */
export async function deleteFile(uri: vscode.Uri): Promise<void> {
  await change((edit) => edit.deleteFile(uri));
}

/** @throws UserError if the app has a payload of that name at that place */
export async function refuseTaken(uri: vscode.Uri, { appName }: AppRef, name: string): Promise<void> {
  if (!(await isThere(uri))) return;
  throw new UserError(t('{0} already has a payload "{1}".', plainText(appName), plainText(name)));
}

/** Changes files through the editor, so that their open documents follow. */
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
