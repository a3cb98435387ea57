import * as vscode from 'vscode';
import { Turns } from '../../../model/async/turns.ts';
import { t } from '../../../model/text/l10n.ts';
import { plainText } from '../../../model/text/plainText.ts';
import { textOfFile } from '../../../model/text/textOfFile.ts';
import { UserError } from '../../../model/text/userError.ts';
import { orUndefined } from '../../orUndefined.ts';
import type { AppRef } from '../../projects/feature.ts';

/**
 * A payload of an app, and its place: a folder of the workspace, or this machine (Runhook's storage), where a window
 * without a folder keeps its payloads.
 */
export interface PayloadFile extends AppRef {
  /** The payload's own name. */
  name: string;
  uri: vscode.Uri;
  place: 'machine' | 'workspace';
}

export async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await orUndefined(vscode.workspace.fs.stat(uri))) !== undefined;
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

/** One file is created at a time. It exists before it has content, and a second click must not read it empty. */
const creations = new Turns();

/**
 * Creates an empty payload.
 * @returns false if the file exists already
 * @throws UserError if it cannot be written
 */
export async function createFile(uri: vscode.Uri): Promise<boolean> {
  return creations.next(async () => {
    try {
      if (await isThere(uri)) return false;
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{}\n'));
      return true;
    } catch (error) {
      throw new UserError(
        t(
          'The payload cannot be created as {0}. May its folder be written to?',
          plainText(shownPath(uri), 500),
        ),
        { cause: error },
      );
    }
  });
}

/**
 * Moves a file where no other is. An open document is saved first and follows.
 * @returns false if the file stays where it is
 */
export async function moveFile(from: vscode.Uri, to: vscode.Uri): Promise<boolean> {
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === from.toString());
  if (open?.isDirty === true && !(await open.save())) return false;
  if (await isThere(to)) return false;
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to, { overwrite: false });
  await vscode.workspace.applyEdit(edit);
  // Checked no matter what the editor reports.
  return (await isThere(to)) && !(await isThere(from));
}

export function shownPath(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString();
}
