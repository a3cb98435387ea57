import { constants, type FileHandle, open, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import * as vscode from 'vscode';
import { readSmallFile } from '../../../shared/files/regularFile.ts';
import { ignoredByGit } from '../../../leaks/git.ts';
import { causeCode, failureText } from '../../../shared/http/failureReason.ts';
import { type AppRef, appName as nameOf } from '../../../service/projects/project.ts';
import { valuesOf, withVariable } from './envText.ts';
import type { SecretScope } from '../../../service/signature/webhookSecret.ts';
import { t } from '../../../shared/text/l10n.ts';
import { plainText } from '../../../shared/text/plainText.ts';
import { isUtf16 } from '../../../shared/text/textOfFile.ts';
import { UserError } from '../../../shared/text/userError.ts';
import type { SecretProjects } from './secretScopes.ts';
import type { WebhookSecrets } from './webhookSecrets.ts';

/** The largest file that is edited, in bytes. */
const maxBytes = 256 * 1024;

/** Whether a file is a `.env` file, and not a shared template of one, such as `.env.example`. */
export function isEnvFile(path: string): boolean {
  const name = basename(path);
  return (
    (name.endsWith('.env') || name.startsWith('.env.')) && !/\.(?:example|sample|template|dist)$/.test(name)
  );
}

/** A variable of a `.env` file, and the secret that is its value. */
interface EnvSecret {
  variable: string;
  secret: string;
}

/**
 * Writes a variable into a `.env` file of the workspace that git ignores. The rest of the file stays as it is.
 * @param program the path of git; undefined if there is none
 * @returns whether git ignores the file; false if there is no repository
 * @throws UserError if the file must not or cannot be written
 */
export async function writeEnvFile(
  uri: vscode.Uri,
  { variable, secret }: EnvSecret,
  program: string | undefined,
): Promise<boolean> {
  // Throws for a value that no `.env` file can hold, before a file is created.
  withVariable('', variable, secret);
  const { path, isIgnored } = await writablePath(uri, program);
  await change(path, fileName(uri), (text) => withVariable(text, variable, secret));
  return isIgnored;
}

/** The values of a variable of a `.env` file of the workspace; none if the file is gone or cannot be read. */
export async function envValues(uri: vscode.Uri, variable: string): Promise<string[]> {
  try {
    return valuesOf(readSmallFile(await placeOf(uri), maxBytes), variable);
  } catch {
    return [];
  }
}

async function writablePath(
  uri: vscode.Uri,
  program: string | undefined,
): Promise<{ path: string; isIgnored: boolean }> {
  const name = fileName(uri);
  const path = await placeOf(uri);
  // guard S62: git is asked before each write, and has to ignore the file.
  const view = await ignoredByGit(program, path);
  if (view === 'seen') {
    throw new UserError(
      t('Git does not ignore {0}, so the secret was not written. Add it to .gitignore first.', name),
      { remedies: [{ kind: 'tryAgain' }] },
    );
  }
  if (program === undefined && view === 'unknown') {
    throw new UserError(
      t(
        'Git has to say whether it ignores {0}, but the editor found no Git, or "git.enabled" is off. The secret was not written.',
        name,
      ),
      { remedies: [{ kind: 'openEditorSettings', ids: ['git.enabled', 'git.path'] }, { kind: 'tryAgain' }] },
    );
  }
  if (view === 'unknown') {
    throw new UserError(
      t('Runhook could not ask Git whether it ignores {0}, so the secret was not written.', name),
      { remedies: [{ kind: 'tryAgain' }] },
    );
  }
  const isDirty = vscode.workspace.textDocuments.some(
    (one) => one.isDirty && [path, uri.fsPath].includes(one.uri.fsPath),
  );
  if (isDirty) {
    throw new UserError(t('{0} has unsaved changes. Save it first.', name), {
      remedies: [{ kind: 'openFile', uri: uri.toString() }, { kind: 'tryAgain' }],
    });
  }
  return { path, isIgnored: view === 'ignored' };
}

/** A file's real path. @throws UserError if that is outside its workspace folder, or the file is no `.env` file */
async function placeOf(uri: vscode.Uri): Promise<string> {
  const name = fileName(uri);
  const folder = uri.scheme === 'file' ? vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath : undefined;
  if (folder === undefined || !isEnvFile(uri.fsPath)) {
    throw new UserError(t('{0} is not a .env file of this workspace.', name));
  }
  try {
    const parent = await realpath(dirname(uri.fsPath));
    const given = join(parent, basename(uri.fsPath));
    const path = await realpath(given).catch((error: unknown) => {
      if (causeCode(error) === 'ENOENT') return given;
      throw error;
    });
    // guard S62: No file is written through a link that leads out of the workspace.
    if (path.startsWith((await realpath(folder)) + sep)) return path;
  } catch (error) {
    throw unwritable(name, error);
  }
  throw new UserError(t('{0} links to a file outside the workspace, so the secret was not written.', name));
}

async function change(path: string, name: string, edit: (text: string) => string): Promise<void> {
  let file: FileHandle | undefined;
  try {
    // `O_NOFOLLOW`: the file may have been replaced by a link since it was checked. 0o600: other users of this
    // machine cannot read a new file.
    file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > maxBytes)
      throw new UserError(t('{0} is not a readable .env file.', name));
    const bytes = await file.readFile();
    const before = bytes.toString('latin1');
    // UTF-16 text has a byte order mark, or a NUL in every second byte. Other bytes stay as they are.
    if (isUtf16(bytes) || before.includes('\0')) {
      throw new UserError(t('{0} is not UTF-8, so the secret was not written. Save it as UTF-8.', name));
    }
    const after = edit(before);
    if (after === before) return;
    await replace(file, before, after);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unwritable(name, error);
  } finally {
    await file?.close();
  }
}

/** Replaces the text of a file. If not all of the new one can be written, the file has the old one again. */
async function replace(file: FileHandle, before: string, after: string): Promise<void> {
  try {
    await overwrite(file, after);
  } catch (error) {
    await overwrite(file, before);
    throw error;
  }
}

/** Writes a whole text: a single write may take less than that, as on a disk that is nearly full. */
async function overwrite(file: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length;) {
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  }
  await file.truncate(bytes.length);
}

/** The path of a file as it is shown. */
export function fileName(uri: vscode.Uri): string {
  return plainText(vscode.workspace.asRelativePath(uri));
}

function unwritable(name: string, cause: unknown): UserError {
  return new UserError(t('{0} cannot be written: {1}.', name, failureText(cause)), {
    cause,
    remedies: [{ kind: 'tryAgain' }],
  });
}

/** Workspace-state key of the files. Former versions kept those here that they rewrote whenever the secret changed. */
const filesKey = 'secrets.envFiles';

/** More are not remembered: the oldest goes first. */
const mostFiles = 100;

/** A variable of a `.env` file, and whose secret was written there. */
export interface WrittenFile extends SecretScope {
  uri: string;
  variable: string;
}

/** The `.env` files of this workspace that the webhook secret was written into. Remembers their paths, not the secret. */
export class WrittenFiles {
  readonly #memento: vscode.Memento;
  readonly #secrets: Pick<WebhookSecrets, 'store'>;
  readonly #projects: Pick<SecretProjects, 'find'>;

  constructor(
    memento: vscode.Memento,
    secrets: Pick<WebhookSecrets, 'store'>,
    projects: Pick<SecretProjects, 'find'>,
  ) {
    this.#memento = memento;
    this.#secrets = secrets;
    this.#projects = projects;
  }

  async remember(file: WrittenFile): Promise<void> {
    const others = this.#all().filter(({ uri, variable }) => uri !== file.uri || variable !== file.variable);
    await this.#memento.update(filesKey, [...others, file].slice(-mostFiles));
  }

  /**
   * The files that hold another secret than the one that they should hold now.
   * @param known the secrets that were written: what a user wrote there by hand is no concern of ours
   */
  async behind(known: readonly string[]): Promise<WrittenFile[]> {
    const store = await this.#secrets.store();
    const found: WrittenFile[] = [];
    for (const file of this.#all().filter((one) => this.#hasOwner(one))) {
      const current = (await store.find(file))?.secret;
      const values = envValues(vscode.Uri.parse(file.uri), file.variable);
      if ((await values).some((value) => value !== current && known.includes(value))) found.push(file);
    }
    return found;
  }

  /** Whether the project and the app are there: whose secret the file should hold is not known otherwise. */
  #hasOwner({ projectId, appName }: WrittenFile): boolean {
    if (projectId === undefined) return true;
    const apps = this.#projects.find(projectId)?.apps;
    return apps !== undefined && (appName === undefined || apps.some((app) => nameOf(app) === appName));
  }

  #all(): readonly WrittenFile[] {
    return this.#memento.get<WrittenFile[]>(filesKey, []);
  }
}

/** An app got another name: the files that its secret was written into are still its own. */
export async function renameOwner(memento: vscode.Memento, from: AppRef, to: AppRef): Promise<void> {
  const isOf = ({ projectId, appName }: SecretScope) =>
    projectId === from.projectId && appName === from.appName;
  const files = memento.get<WrittenFile[]>(filesKey, []);
  await memento.update(
    filesKey,
    files.map((one) => (isOf(one) ? { ...one, appName: to.appName } : one)),
  );
}
