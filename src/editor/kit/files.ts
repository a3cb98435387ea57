import * as vscode from 'vscode';
import { t } from '../../shared/text/l10n.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { textOfFile } from '../../shared/text/textOfFile.ts';
import { UserError } from '../../shared/text/userError.ts';

/**
 * The file that a caller names by its URI, its path, or its path within the workspace.
 * @param folders the folders of the workspace to search
 * @throws UserError if the text names no file in any of these ways
 */
export async function givenFile(
  text: string,
  folders = vscode.workspace.workspaceFolders ?? [],
): Promise<vscode.Uri> {
  // A letter and a colon begin a Windows path.
  if (/^([\\/]|[a-z]:)/i.test(text)) return vscode.Uri.file(text);
  return /^[a-z][\w+.-]*:/i.test(text) ? fromUri(text) : inWorkspace(text, folders);
}

/**
 * The document of a file, with unsaved changes.
 * @throws UserError if the file does not exist, or is not a text file
 */
export async function openFile(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const { textDocuments } = vscode.workspace;
  const open = textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return open;
  // The editor would download it, but only files are allowed here.
  if (/^https?$/.test(uri.scheme)) throw cannotOpen(uri.toString());
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    throw cannotOpen(uri.scheme === 'file' ? uri.fsPath : uri.toString(), error);
  }
}

/**
 * The text of a document that is sent or applied.
 * @throws UserError if the editor shows replacement characters in place of bytes that are not UTF-8
 */
export async function exactText(document: vscode.TextDocument): Promise<string> {
  const text = document.getText();
  if (text.includes('\ufffd') && !document.isDirty)
    textOfFile(await vscode.workspace.fs.readFile(document.uri));
  return text;
}

function fromUri(text: string): vscode.Uri {
  try {
    return vscode.Uri.parse(text, true);
  } catch (error) {
    throw cannotOpen(text, error);
  }
}

/** The file in the first folder that has it. */
async function inWorkspace(path: string, folders: readonly vscode.WorkspaceFolder[]): Promise<vscode.Uri> {
  for (const { uri } of path === '' ? [] : folders) {
    const file = vscode.Uri.joinPath(uri, path.replaceAll('\\', '/'));
    // Whatever the error is, another folder may have the file.
    const isThere = await vscode.workspace.fs.stat(file).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  throw cannotOpen(path);
}

function cannotOpen(file: string, cause?: unknown): UserError {
  const message = t('"{0}" cannot be opened. Does it exist, and is it a text file?', plainText(file, 300));
  return new UserError(message, { cause });
}

/** The result of a file system operation; undefined if there is no such file or folder. */
export async function orUndefined<T>(operation: Thenable<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
