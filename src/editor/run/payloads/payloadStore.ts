import * as vscode from 'vscode';
import { nameOfFile, storedIdOf, storedNameOf } from '../../../model/payloads/payloadName.ts';
import { suffixes } from '../../ids.ts';
import { orUndefined } from '../../orUndefined.ts';
import type { AppRef } from '../../projects/feature.ts';
import { isThere, type PayloadFile } from './payloadFile.ts';

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
