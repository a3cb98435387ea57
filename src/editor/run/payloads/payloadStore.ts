import * as vscode from 'vscode';
import { Turns } from '../../../model/async/turns.ts';
import { nameOfFile, storedIdOf, storedNameOf } from '../../../model/payloads/payloadName.ts';
import { suffixes } from '../../ids.ts';
import { ifThere } from '../../ifThere.ts';
import type { AppRef } from '../../projects/feature.ts';
import { isThere, type PayloadFile } from './payloadFile.ts';

/** A payload of this machine, by its app and name. */
export interface PayloadOwner extends AppRef {
  /** The payload's own name. */
  name: string;
}

/**
 * The payloads of this machine: real JSON files, one folder per app, named by the user. They stay when their project
 * is removed, since they are the user's own writing.
 */
export class PayloadStore implements vscode.Disposable {
  readonly #root: vscode.Uri;
  /** Creates one file at a time. A file exists before it has content, and a second click must not read it empty. */
  readonly #creations = new Turns();
  readonly #changed = new vscode.EventEmitter<void>();

  /** Fires when a payload may have been added or removed. */
  readonly onDidChange = this.#changed.event;

  /** @param storage the storage folder of the extension */
  constructor(storage: vscode.Uri) {
    this.#root = vscode.Uri.joinPath(storage, 'payloads');
  }

  uri(owner: PayloadOwner): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder(owner), `${storedNameOf(owner.name)}${suffixes.payload}`);
  }

  /** An app's payloads, sorted by name. */
  async list({ projectId, appName }: AppRef): Promise<PayloadFile[]> {
    const folder = this.#folder({ projectId, appName });
    const entries = await ifThere(vscode.workspace.fs.readDirectory(folder));
    return (entries ?? [])
      .filter(([file, type]) => type === vscode.FileType.File && file.endsWith(suffixes.payload))
      .map(([file]): PayloadFile => {
        const name = nameOfFile(file.slice(0, -suffixes.payload.length));
        return { projectId, appName, name, uri: vscode.Uri.joinPath(folder, file), place: 'machine' };
      })
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Creates the document if it does not exist yet. */
  async ensure(owner: PayloadOwner): Promise<vscode.Uri> {
    const uri = this.uri(owner);
    await this.#creations.next(async () => {
      if (await isThere(uri)) return;
      await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode('{}\n'));
      this.tellChange();
    });
    return uri;
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

  #folder({ projectId, appName }: AppRef): vscode.Uri {
    return vscode.Uri.joinPath(this.#root, storedIdOf(projectId), storedIdOf(appName));
  }
}
