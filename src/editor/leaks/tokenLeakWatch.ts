import * as vscode from 'vscode';
import { type FileText, fileText, longestText } from '../../leaks/fileText.ts';
import { type LeakPlace, leakPlaces } from '../../leaks/leakSearch.ts';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import type { LeakNeedles } from '../../leaks/tokenLeaks.ts';
import { t } from '../../shared/text/l10n.ts';
import type { Log } from '../kit/log.ts';
import type { EditorGit } from './editorGit.ts';

interface TokenLeakWatchParts {
  needles: Pick<HeldNeedles, 'read' | 'onDidChange'>;
  git: Pick<EditorGit, 'ignores' | 'onDidChange'>;
  log: Log;
}

/**
 * Warns of a token or webhook secret in a file of the workspace that git does not ignore, when the file is opened
 * or saved, and where a search has found one. The comparison happens in memory; nothing of the file leaves this
 * machine.
 */
export class TokenLeakWatch implements vscode.Disposable {
  readonly #parts: TokenLeakWatchParts;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('runhook.leaks');
  readonly #subscriptions: vscode.Disposable[];
  /** The files in which a search found something, by URI: they stay marked while closed. */
  readonly #searched = new Map<string, vscode.Uri>();
  #files: vscode.FileSystemWatcher | undefined;

  constructor(parts: TokenLeakWatchParts) {
    this.#parts = parts;
    const check = (document: vscode.TextDocument) => this.#checkSoon(document.uri);
    const checkAll = () => this.#checkAll();
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument(check),
      vscode.workspace.onDidSaveTextDocument(check),
      // Only to clear a warning: users are not warned of what they are typing.
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#diagnostics.has(document.uri)) check(document);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#checkClosed(uri)),
      parts.git.onDidChange(checkAll),
      parts.needles.onDidChange(checkAll),
    ];
    checkAll();
  }

  /** Marks what a search found. If it was complete, files that only an earlier search found are checked again. */
  mark(found: readonly { uri: vscode.Uri; places: readonly LeakPlace[] }[], isAll: boolean): void {
    const before = isAll ? [...this.#searched.values()] : [];
    for (const { uri, places } of found) {
      this.#searched.set(uri.toString(), uri);
      this.#diagnostics.set(uri, places.map(leakDiagnostic));
    }
    const now = new Set(found.map(({ uri }) => uri.toString()));
    for (const uri of before.filter((one) => !now.has(one.toString()))) this.#checkSoon(uri);
    if (this.#searched.size > 0) this.#watchFiles();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#diagnostics.dispose();
  }

  /** Watches the files on disk, to unmark those that another program has fixed. */
  #watchFiles(): void {
    if (this.#files !== undefined) return;
    this.#files = vscode.workspace.createFileSystemWatcher('**/*');
    const check = (uri: vscode.Uri) => {
      if (this.#searched.has(uri.toString())) this.#checkSoon(uri);
      else if (uri.path.endsWith('/.gitignore')) this.#checkAll();
    };
    this.#subscriptions.push(
      this.#files,
      this.#files.onDidChange(check),
      this.#files.onDidCreate(check),
      this.#files.onDidDelete(check),
    );
  }

  #checkAll(): void {
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
    for (const uri of [...open, ...this.#searched.values()]) this.#checkSoon(uri);
  }

  #checkClosed(uri: vscode.Uri): void {
    // Unsaved changes are gone: checks the file as it is on disk.
    if (this.#searched.has(uri.toString())) this.#checkSoon(uri);
    else this.#unmark(uri);
  }

  /** Notifies the editor only of files that were marked. */
  #unmark(uri: vscode.Uri): void {
    if (this.#diagnostics.has(uri)) this.#diagnostics.delete(uri);
  }

  #checkSoon(uri: vscode.Uri): void {
    this.#check(uri).catch((error: unknown) => this.#parts.log.warn(`Looking for tokens: ${String(error)}`));
  }

  async #check(uri: vscode.Uri): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (uri.scheme !== 'file' || folder === undefined) return;
    const places = async () => this.#places(uri, folder.uri);
    // guard S70: A stored token in a file of the workspace is reported.
    const isExposed = (await places()).length > 0 && !(await this.#parts.git.ignores(uri));
    // Git takes a while: the text and the tokens may have changed meanwhile.
    const leaks = isExposed ? await places() : [];
    if (leaks.length === 0) this.#unmark(uri);
    else this.#diagnostics.set(uri, leaks.map(leakDiagnostic));
  }

  /** The leaks in the text open in the editor, else, if a search found something in the file, in the one on disk. */
  async #places(uri: vscode.Uri, folder: vscode.Uri): Promise<LeakPlace[]> {
    const needles = await this.#parts.needles.read();
    const isSearched = this.#searched.has(uri.toString());
    const read = openText(uri.fsPath) ?? (isSearched ? await fileText(uri.fsPath, folder.fsPath) : undefined);
    // The file may have been opened meanwhile: then the editor's text counts.
    const content = openText(uri.fsPath) ?? read;
    return content?.kind === 'text' ? leakPlaces(content.text, needles) : [];
  }
}

/** The codes of the diagnostics on a token, and on a webhook secret, in a file. */
export const leakCodes = { token: 'token-in-file', webhookSecret: 'webhook-secret-in-file' } as const;

/** The warning about a token or webhook secret in a file. It does not contain the value. */
function leakDiagnostic({ kind, start, end }: LeakPlace): vscode.Diagnostic {
  const message =
    kind === 'token'
      ? t('This is a token of a service account. Keep it in the secret store, or in a file that Git ignores.')
      : t(
          'This is a webhook secret, with which anyone can forge deliveries. Read it from an environment variable, or keep it in a file that Git ignores.',
        );
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const found = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  found.source = 'Runhook';
  found.code = leakCodes[kind];
  return found;
}

/** Where the needles come from. */
interface NeedleSources {
  projects: { all(): readonly { id: string }[] };
  tokens: { values(): Promise<string[]>; readonly onDidChange: vscode.Event<void> };
  secrets: { store(): Promise<{ verifying(): Promise<string[]> }>; readonly onDidChange: vscode.Event<void> };
}

/** The tokens and secrets that are looked for in files. They are compared in memory and go nowhere. */
export function heldNeedles({ projects, tokens, secrets }: NeedleSources) {
  const values = loadOnce(() => tokens.values());
  const changed = new vscode.EventEmitter<void>();
  const change = () => {
    void values.forget();
    changed.fire();
  };
  const owned = vscode.Disposable.from(changed, tokens.onDidChange(change), secrets.onDidChange(change));
  return {
    onDidChange: changed.event,
    /** @throws if the secret store cannot be read */
    async read(): Promise<LeakNeedles> {
      const [held, store] = await Promise.all([values(), secrets.store()]);
      const webhookSecrets = await store.verifying();
      return { tokens: held, webhookSecrets, projectIds: projects.all().map(({ id }) => id) };
    },
    dispose: () => void owned.dispose(),
  };
}

export type HeldNeedles = ReturnType<typeof heldNeedles>;

/** The text of a file as open in the editor, saved or not; undefined if the file is not open. */
export function openText(path: string): FileText | undefined {
  const isIt = ({ uri }: vscode.TextDocument) => uri.scheme === 'file' && uri.fsPath === path;
  const text = vscode.workspace.textDocuments.find(isIt)?.getText();
  if (text === undefined) return undefined;
  return text.length > longestText ? { kind: 'tooLarge' } : { kind: 'text', text };
}
