import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { pathBelow, sharedNameOf, nameOfFile } from './payloadName.ts';
import { causeCode } from '../../../shared/http/failureReason.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { UserError } from '../../../shared/text/userError.ts';
import { config, onConfigChange } from '../../kit/config.ts';
import { FolderWatch } from '../../kit/folderWatch.ts';
import { settingIds, suffixes } from '../../kit/ids.ts';
import { type Log, logError } from '../../kit/log.ts';
import { inParallel } from '../../../shared/async/inBatches.ts';
import { type PayloadAddress, payloadAddress } from './payload.ts';
import { textOfFile } from '../../../shared/text/textOfFile.ts';
import { orUndefined } from '../../kit/files.ts';

/** A payload file of the workspace. */
export interface WorkspacePayload {
  uri: vscode.Uri;
  name: string;
  appName: string;
  /** Set if the file names a project. */
  projectId?: string;
}

/** The workspace's payloads found so far. */
export interface KnownPayloads {
  payloads: readonly WorkspacePayload[];
  /** Whether a folder has more payloads or subfolders than are searched. */
  isCut: boolean;
}

/** The debounce of searches, in milliseconds: a change of a thousand files causes one search. */
const searchDelayMs = 150;

/**
 * The payloads in the folders of the workspace. The first request starts a search, and so does every later change
 * on the disk.
 */
export class WorkspacePayloads implements vscode.Disposable {
  readonly #log: Log;
  readonly #addresses: PayloadAddresses;
  readonly #changed = new vscode.EventEmitter<void>();
  #found: readonly FolderPayloads[] = [];
  #known: KnownPayloads = { payloads: [], isCut: false };
  readonly #searchFiles = againIfAsked(() => this.#searchOnce());
  readonly #readFiles = againIfAsked(() => this.#readOnce());
  #timer: NodeJS.Timeout | undefined;
  #watching: vscode.Disposable | undefined;
  readonly #folderWatch = new FolderWatch(() => {
    this.#scheduleSearch();
  });
  #isDisposed = false;

  readonly onDidChange = this.#changed.event;

  /** @param addresses the apps and projects that files name, as far as the files have been read */
  constructor(log: Log, addresses = new PayloadAddresses()) {
    this.#log = log;
    this.#addresses = addresses;
  }

  /** The payloads found so far. The first call starts a search, and `onDidChange` fires if it finds any. */
  known(): KnownPayloads {
    if (this.#watching === undefined) this.#search().catch((error: unknown) => logError(this.#log, error));
    return this.#known;
  }

  /** All payloads, as they are on the disk now. */
  async all(): Promise<readonly WorkspacePayload[]> {
    await this.#search();
    return this.#known.payloads;
  }

  /** The workspace folder of a payload file, judged by its path; undefined for any other file. */
  folderOf(uri: vscode.Uri): vscode.WorkspaceFolder | undefined {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const root = folder && payloadFolder(folder);
    const isOurs = root !== undefined && uri.path.startsWith(`${root.path}/`);
    return isOurs && uri.path.endsWith(suffixes.payload) && !uri.path.includes('/../') ? folder : undefined;
  }

  /**
   * The URI of a payload of that name in a workspace folder.
   * @throws UserError if the setting or a link leads out of the folder
   */
  async place(folder: vscode.WorkspaceFolder, { appName }: { appName: string }, name: string) {
    const root = payloadFolder(folder);
    const file = `${sharedNameOf(name)}${suffixes.payload}`;
    const uri = root && vscode.Uri.joinPath(root, sharedNameOf(appName), file);
    // guard S57: A payload folder has to lie in its workspace folder, with links resolved.
    if (uri !== undefined && (await liesWithin(uri, folder.uri))) return uri;
    throw new UserError(
      t('The payload folder "{0}" is not within {1}.', plainText(config.payloadFolder(folder)), folder.name),
      { remedies: [{ kind: 'openSettings', ids: [settingIds.payloadFolder] }] },
    );
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#watching?.dispose();
    this.#folderWatch.dispose();
    this.#changed.dispose();
  }

  /** Searches now. A call during a search waits for one more search, so that its result is current. */
  async #search(): Promise<void> {
    this.#watching ??= this.#watch();
    await this.#searchFiles();
    // The file names are known now. The app that a file names must be read from its content.
    await this.#readFiles();
  }

  #scheduleSearch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#search().catch((error: unknown) => logError(this.#log, error));
    }, searchDelayMs);
  }

  async #searchOnce(): Promise<void> {
    if (this.#isDisposed) return;
    const folders = vscode.workspace.workspaceFolders ?? [];
    this.#show(await Promise.all(folders.map(foundIn)));
    this.#folderWatch.watch(this.#found.flatMap((one) => one.folders));
    // Searches again for files that were added before the folders were watched.
    this.#show(await Promise.all(folders.map(foundIn)));
  }

  /** Slow if there are many files. A search for files that change meanwhile does not wait for it. */
  async #readOnce(): Promise<void> {
    if (this.#isDisposed) return;
    await this.#addresses.read(this.#found.flatMap(({ payloads }) => payloads.map(({ uri }) => uri)));
    this.#show(this.#found);
  }

  #show(found: readonly FolderPayloads[]): void {
    this.#found = found;
    const payloads = found.flatMap((one) => one.payloads);
    this.#setKnown({
      payloads: payloads.flatMap(({ uri, name, appName: ofFolder }) => {
        const { app: appName = ofFolder, project: projectId } = this.#addresses.known(uri);
        return appName === undefined
          ? []
          : [{ uri, name, appName, ...(projectId !== undefined && { projectId }) }];
      }),
      isCut: found.some((one) => one.isCut),
    });
  }

  #setKnown(found: KnownPayloads): void {
    const previousShape = shapeOf(this.#known);
    this.#known = found;
    if (!this.#isDisposed && shapeOf(found) !== previousShape) this.#changed.fire();
  }

  #watch(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher('**');
    const notice = (uri: vscode.Uri): void => {
      if (isNearPayloads(uri)) this.#scheduleSearch();
    };
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(notice),
      watcher.onDidChange(notice),
      watcher.onDidDelete(notice),
      onConfigChange([settingIds.payloadFolder], () => this.#scheduleSearch()),
    );
  }
}

/** Does the work when asked, and once more if asked meanwhile: each call waits for work that began after it. */
function againIfAsked(work: () => Promise<void>): () => Promise<void> {
  let isAsked = false;
  let working: Promise<void> | undefined;
  const workWhileAsked = async (): Promise<void> => {
    try {
      while (isAsked) {
        isAsked = false;
        await work();
      }
    } finally {
      // Cleared in the same turn as the last check of the flag, so that a later call works again.
      working = undefined;
    }
  };
  return () => {
    isAsked = true;
    return (working ??= workWhileAsked());
  };
}

/** The folder of the workspace that new payloads are created in: the first one that can be written to. */
export function payloadHome(): vscode.WorkspaceFolder | undefined {
  const { workspaceFolders = [], fs } = vscode.workspace;
  return workspaceFolders.find(({ uri }) => fs.isWritableFileSystem(uri.scheme) !== false);
}

/** Whether a file or folder is a payload folder, in one, or one of its parent folders. */
function isNearPayloads({ path }: vscode.Uri): boolean {
  return (vscode.workspace.workspaceFolders ?? []).some((folder) => {
    const root = payloadFolder(folder);
    return root !== undefined && (path.startsWith(`${root.path}/`) || `${root.path}/`.startsWith(`${path}/`));
  });
}

/** The payload folder of a workspace folder; undefined if the setting does not lead below it. */
export function payloadFolder(folder: vscode.WorkspaceFolder): vscode.Uri | undefined {
  const parts = pathBelow(config.payloadFolder(folder));
  return parts && vscode.Uri.joinPath(folder.uri, ...parts);
}

async function foundIn(folder: vscode.WorkspaceFolder): Promise<FolderPayloads> {
  const root = payloadFolder(folder);
  const isWithin = root !== undefined && (await liesWithin(root, folder.uri).catch(() => false));
  if (!isWithin) return { payloads: [], folders: [], isCut: false };
  const found = await folderPayloads(root);
  return { ...found, folders: [...foldersAbove(root, folder), ...found.folders] };
}

/** The folders between a payload folder and its workspace folder. A missing payload folder may appear in one. */
function foldersAbove(root: vscode.Uri, folder: vscode.WorkspaceFolder): vscode.Uri[] {
  const above = vscode.Uri.joinPath(root, '..');
  const isBelow = above.path.length > folder.uri.path.length;
  return isBelow ? [...foldersAbove(above, folder), above] : [];
}

function shapeOf({ payloads, isCut }: KnownPayloads): string {
  return JSON.stringify([isCut, payloads.map((one) => [one.uri.toString(), one.appName, one.projectId])]);
}

/**
 * Whether a file or folder lies in a folder, links followed. If it does not exist, its nearest existing parent is
 * checked. Schemes other than `file` always pass: their file systems have no links that lead out of them.
 */
async function liesWithin(uri: vscode.Uri, folder: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return true;
  const root = await realpath(folder.fsPath).catch((error: unknown) => {
    if (causeCode(error) !== 'ENOENT') throw error;
    throw new UserError(
      t(
        'The folder {0} is no longer there. Create it again, or open another one.',
        plainText(folder.fsPath, 300),
      ),
      { remedies: [{ kind: 'openFolder' }] },
    );
  });
  for (let at = uri.fsPath; ; at = dirname(at)) {
    const isFound = await lstat(at).then(
      () => true,
      () => false,
    );
    if (!isFound && at !== dirname(at)) continue;
    // A broken link does not count as within the folder.
    const real = await realpath(at).catch(() => undefined);
    return real !== undefined && isBelow(root, real);
  }
}

function isBelow(root: string, path: string): boolean {
  const relativePath = relative(root, path);
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath);
}

/** The longest file that is read, in bytes. The view shows a longer one under the app of its folder. */
const longest = 256 * 1024;
/** How much is read from all files together in one pass, in bytes. */
const mostInAll = 16 * 1024 * 1024;

interface Known {
  mtime: number;
  size: number;
  address: PayloadAddress;
}

/** The apps and projects that payload files name. A file is read once, and again when it has changed. */
export class PayloadAddresses {
  #known = new Map<string, Known>();

  /** The cached address of a file; empty if the file has not been read. */
  known(uri: vscode.Uri): PayloadAddress {
    return this.#known.get(uri.toString())?.address ?? {};
  }

  /** Reads the files that are new or have changed, and drops unlisted files from the cache. */
  async read(files: readonly vscode.Uri[]): Promise<void> {
    let bytesLeft = mostInAll;
    const known = new Map<string, Known>();
    await inParallel(files, async (uri) => {
      try {
        const { mtime, size } = await vscode.workspace.fs.stat(uri);
        const cached = this.#known.get(uri.toString());
        if (cached?.mtime === mtime && cached.size === size) {
          known.set(uri.toString(), cached);
          return;
        }
        if (size > longest || size > bytesLeft) return;
        bytesLeft -= size;
        const text = textOfFile(await vscode.workspace.fs.readFile(uri));
        known.set(uri.toString(), { mtime, size, address: payloadAddress(text) });
      } catch (error) {
        // Either deleted meanwhile, which the watcher reports, or not readable, which is reported when it is run.
        if (!(error instanceof vscode.FileSystemError || error instanceof UserError)) throw error;
      }
    });
    this.#known = known;
  }
}

/** How many payload files of a folder are listed, and how many of its subfolders are searched. */
export const mostPayloads = 2000;

/** A payload of the workspace, known by its path only. */
interface FoundPayload {
  uri: vscode.Uri;
  name: string;
  /** The name of its subfolder; absent if it is in none. */
  appName?: string;
}

interface FolderPayloads {
  payloads: FoundPayload[];
  /** The folders that were searched. */
  folders: vscode.Uri[];
  /** Whether there are more payloads or subfolders than the limit. */
  isCut: boolean;
}

/** Lists the payloads in a folder, `<app>/<name>.payload.json`, by name only. Follows no links. */
async function folderPayloads(root: vscode.Uri): Promise<FolderPayloads> {
  const entries = await entriesOf(root);
  const folders = entries
    .filter(([, type]) => type === vscode.FileType.Directory)
    .map(([name]) => ({ uri: vscode.Uri.joinPath(root, name), appName: nameOfFile(name) }));
  const visited = folders.slice(0, mostPayloads);
  const below = await inParallel(visited, async ({ uri, appName }) =>
    payloadsOf(uri, await entriesOf(uri), appName),
  );
  const all = [...payloadsOf(root, entries), ...below.flat()];
  return {
    payloads: all.slice(0, mostPayloads),
    folders: [root, ...visited.map(({ uri }) => uri)],
    isCut: Math.max(all.length, folders.length) > mostPayloads,
  };
}

function payloadsOf(folder: vscode.Uri, entries: Entries, appName?: string): FoundPayload[] {
  return entries
    .filter(([file, type]) => type === vscode.FileType.File && file.endsWith(suffixes.payload))
    .slice(0, mostPayloads + 1)
    .map(([file]) => ({
      uri: vscode.Uri.joinPath(folder, file),
      name: nameOfFile(file.slice(0, -suffixes.payload.length)),
      ...(appName !== undefined && { appName }),
    }));
}

type Entries = readonly [name: string, type: vscode.FileType][];

/** The entries of a folder; none if it does not exist, or no longer does. */
async function entriesOf(folder: vscode.Uri): Promise<Entries> {
  try {
    return (await orUndefined(vscode.workspace.fs.readDirectory(folder))) ?? [];
  } catch (error) {
    // The path is a file, or the folder is not readable: either way there is nothing to show.
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}
