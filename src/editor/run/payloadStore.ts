import * as vscode from 'vscode';
import { UserError } from '../../model/userError.ts';

/** Payload documents end so, wherever they lie: it is what the JSON schema and the code lenses go by. */
export const payloadSuffix = '.payload.json';

/** Which app a payload document is for. */
export interface PayloadOwner {
  projectId: string;
  appName: string;
  /** The payload's own name. */
  name: string;
}

/**
 * The payload documents: real JSON files, one folder an app, named by the user. They stay when their project
 * is removed, since they are the user's own writing.
 */
export class PayloadStore {
  readonly #root: vscode.Uri;

  /** @param root a folder of the extension's own storage */
  constructor(root: vscode.Uri) {
    this.#root = root;
  }

  uri({ projectId, appName, name }: PayloadOwner): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder(projectId, appName), `${encodeName(name)}${payloadSuffix}`);
  }

  /** The names of an app's payloads, in alphabetical order. */
  async list(projectId: string, appName: string): Promise<string[]> {
    const entries = await readDirectory(this.#folder(projectId, appName));
    return entries
      .filter(([file, type]) => type === vscode.FileType.File && file.endsWith(payloadSuffix))
      .map(([file]) => decode(file.slice(0, -payloadSuffix.length)))
      .sort((a, b) => a.localeCompare(b));
  }

  /** Makes the document where there is none yet. */
  async ensure(owner: PayloadOwner): Promise<vscode.Uri> {
    const uri = this.uri(owner);
    if (!(await exists(uri))) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{}\n'));
    return uri;
  }

  async rename(owner: PayloadOwner, name: string): Promise<vscode.Uri> {
    const to = this.uri({ ...owner, name });
    if (await exists(to))
      throw new UserError(vscode.l10n.t('{0} has a payload "{1}" already.', owner.appName, name));
    await vscode.workspace.fs.rename(this.uri(owner), to);
    return to;
  }

  async delete(owner: PayloadOwner): Promise<void> {
    await vscode.workspace.fs.delete(this.uri(owner), { useTrash: false });
  }

  /** Deletes all of them. */
  async erase(): Promise<void> {
    if (!(await exists(this.#root))) return;
    await vscode.workspace.fs.delete(this.#root, { recursive: true, useTrash: false });
  }

  /** The app of a document of this store; undefined for any other document. */
  owner(uri: vscode.Uri): PayloadOwner | undefined {
    const root = `${this.#root.path}/`;
    if (uri.scheme !== this.#root.scheme || !uri.path.startsWith(root) || !uri.path.endsWith(payloadSuffix)) {
      return undefined;
    }
    const [projectId, appName, name, ...more] = uri.path.slice(root.length, -payloadSuffix.length).split('/');
    if (projectId === undefined || appName === undefined || name === undefined || more.length > 0)
      return undefined;
    return { projectId: decode(projectId), appName: decode(appName), name: decode(name) };
  }

  #folder(projectId: string, appName: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#root, encodeId(projectId), encodeId(appName));
  }
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

async function readDirectory(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return [];
    throw error;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}
