import * as vscode from 'vscode';
import { Turns } from '../../../model/async/turns.ts';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { suffixes } from '../../ids.ts';
import { ifThere } from '../../ifThere.ts';
import type { AppRef } from '../../projects/feature.ts';

/** Which app a payload document is for. */
export interface PayloadOwner extends AppRef {
  /** The payload's own name. */
  name: string;
}

/**
 * The payload documents: real JSON files, one folder an app, named by the user. They stay when their project
 * is removed, since they are the user's own writing.
 */
export class PayloadStore {
  readonly #root: vscode.Uri;
  /** A file is there before its content is: a second click must not read it empty. */
  readonly #made = new Turns();

  /** @param storage the extension's own */
  constructor(storage: vscode.Uri) {
    this.#root = vscode.Uri.joinPath(storage, 'payloads');
  }

  uri(owner: PayloadOwner): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder(owner), `${encodeName(owner.name)}${suffixes.payload}`);
  }

  /** The names of an app's payloads, in alphabetical order. */
  async list(app: AppRef): Promise<string[]> {
    const entries = await ifThere(vscode.workspace.fs.readDirectory(this.#folder(app)));
    return (entries ?? [])
      .filter(([file, type]) => type === vscode.FileType.File && file.endsWith(suffixes.payload))
      .map(([file]) => decode(file.slice(0, -suffixes.payload.length)))
      .sort((a, b) => a.localeCompare(b));
  }

  /** Makes the document where there is none yet. */
  async ensure(owner: PayloadOwner): Promise<vscode.Uri> {
    const uri = this.uri(owner);
    await this.#made.next(async () => {
      if (!(await exists(uri))) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{}\n'));
    });
    return uri;
  }

  /** What is written in a payload: in its document where that is open, saved or not. */
  async text(owner: PayloadOwner): Promise<string> {
    const uri = this.uri(owner);
    const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    return open?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  }

  /**
   * Gives a payload another name. An open document goes along.
   * @throws UserError where the app has a payload of that name
   */
  async rename(owner: PayloadOwner, name: string): Promise<vscode.Uri> {
    const to = await this.#free({ ...owner, name });
    await change((edit) => edit.renameFile(this.uri(owner), to));
    return to;
  }

  /** @throws UserError where the app has a payload of that name */
  async duplicate(owner: PayloadOwner, name: string): Promise<vscode.Uri> {
    const to = await this.#free({ ...owner, name });
    await vscode.workspace.fs.writeFile(to, new TextEncoder().encode(await this.text(owner)));
    return to;
  }

  /** Deletes a payload. An open document is closed. */
  async delete(owner: PayloadOwner): Promise<void> {
    await change((edit) => edit.deleteFile(this.uri(owner)));
  }

  /** Deletes all of them. */
  async erase(): Promise<void> {
    if (!(await exists(this.#root))) return;
    await vscode.workspace.fs.delete(this.#root, { recursive: true, useTrash: false });
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
    // By `..` a file of anywhere could pass for one of these.
    if (parts.length > 3 || parts.includes('..')) return undefined;
    return { projectId: decode(projectId), appName: decode(appName), name: decode(name) };
  }

  async #free(owner: PayloadOwner): Promise<vscode.Uri> {
    const uri = this.uri(owner);
    if (await exists(uri)) {
      throw new UserError(t('{0} has a payload "{1}" already.', owner.appName, owner.name));
    }
    return uri;
  }

  #folder({ projectId, appName }: AppRef): vscode.Uri {
    return vscode.Uri.joinPath(this.#root, encodeId(projectId), encodeId(appName));
  }
}

/** Changes files by way of the editor, so that what is open of them follows. */
async function change(describe: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  describe(edit);
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new UserError(t('The editor did not change the payload.'), { remedies: [{ kind: 'tryAgain' }] });
}

/** A payload's name as a file name on every system; letters and digits of any script stay readable. */
function encodeName(name: string): string {
  return encode(name, /[^\p{L}\p{N}_ -]/gu);
}

/**
 * An id as a folder's name. Capitals are written out as well: some file systems do not tell them apart, and
 * ids do.
 */
function encodeId(id: string): string {
  return encode(id, /[^a-z0-9_-]/gu);
}

function encode(text: string, unsafe: RegExp): string {
  return text.replace(unsafe, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function decode(file: string): string {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return (await ifThere(vscode.workspace.fs.stat(uri))) !== undefined;
}
