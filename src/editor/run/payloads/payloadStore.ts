import * as vscode from 'vscode';
import { nameOfFile, storedIdOf, storedNameOf } from './payloadName.ts';
import { suffixes } from '../../kit/ids.ts';
import { orUndefined } from '../../kit/files.ts';
import { Turns } from '../../../shared/async/turns.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { textOfFile } from '../../../shared/text/textOfFile.ts';
import { UserError } from '../../../shared/text/userError.ts';
import type { AppRef } from '../../../service/projects/project.ts';

/** A payload of this machine, by its app and name. */
export interface PayloadOwner extends AppRef {
  /** The payload's own name. */
  name: string;
}

/**
 * The payloads of this machine: real JSON files, one folder per app, named by the user. New ones are made here only in
 * windows without a folder. They stay when their project is removed, since they are the user's own writing.
 */
export class PayloadStore implements vscode.Disposable {
  readonly #root: vscode.Uri;
  readonly #changed = new vscode.EventEmitter<void>();

  /** Fires when a payload may have been added or removed. */
  readonly onDidChange = this.#changed.event;

  /** @param storage the storage folder of the extension */
  constructor(storage: vscode.Uri) {
    this.#root = vscode.Uri.joinPath(storage, 'payloads');
  }

  /** The folder of an app's payloads. It need not exist. */
  folder({ projectId, appName }: AppRef): vscode.Uri {
    return vscode.Uri.joinPath(this.#root, storedIdOf(projectId), storedIdOf(appName));
  }

  uri(owner: PayloadOwner): vscode.Uri {
    return vscode.Uri.joinPath(this.folder(owner), `${storedNameOf(owner.name)}${suffixes.payload}`);
  }

  /** All payloads, of whatever app. */
  async all(): Promise<PayloadFile[]> {
    const projects = await foldersIn(this.#root);
    const apps = await Promise.all(projects.map(foldersIn));
    return (await Promise.all(apps.flat().map((folder) => this.#listIn(folder)))).flat();
  }

  /** An app's payloads, sorted by name. */
  async list({ projectId, appName }: AppRef): Promise<PayloadFile[]> {
    const found = await this.#listIn(this.folder({ projectId, appName }));
    return found.map((one) => ({ ...one, projectId, appName }));
  }

  /** Deletes all payloads. */
  async erase(): Promise<void> {
    if (!(await isThere(this.#root))) return;
    await vscode.workspace.fs.delete(this.#root, { recursive: true, useTrash: false });
    this.tellChange();
  }

  /** Must be called after a change to one of the files. */
  tellChange(): void {
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** The app of a document of this store; undefined for any other document. */
  owner(uri: vscode.Uri): PayloadOwner | undefined {
    const root = `${this.#root.path}/`;
    if (
      uri.scheme !== this.#root.scheme ||
      !uri.path.startsWith(root) ||
      !uri.path.endsWith(suffixes.payload)
    ) {
      return undefined;
    }
    const parts = uri.path.slice(root.length, -suffixes.payload.length).split('/');
    const [projectId, appName, name] = parts;
    if (projectId === undefined || appName === undefined || name === undefined) return undefined;
    // With `..`, a file outside this store could pass for one in it.
    if (parts.length > 3 || parts.includes('..')) return undefined;
    return { projectId: nameOfFile(projectId), appName: nameOfFile(appName), name: nameOfFile(name) };
  }

  async #listIn(folder: vscode.Uri): Promise<PayloadFile[]> {
    const entries = (await orUndefined(vscode.workspace.fs.readDirectory(folder))) ?? [];
    return entries
      .filter(([, type]) => type === vscode.FileType.File)
      .flatMap(([file]): PayloadFile[] => {
        const uri = vscode.Uri.joinPath(folder, file);
        const owner = this.owner(uri);
        return owner === undefined ? [] : [{ ...owner, uri, place: 'machine' }];
      })
      .sort((a, b) => a.name.localeCompare(b.name));
  }
}

async function foldersIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const entries = (await orUndefined(vscode.workspace.fs.readDirectory(folder))) ?? [];
  return entries
    .filter(([, type]) => type === vscode.FileType.Directory)
    .map(([name]) => vscode.Uri.joinPath(folder, name));
}

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
        t('The payload cannot be created as {0}. Is its folder writable?', plainText(shownPath(uri), 500)),
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
