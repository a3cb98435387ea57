import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import type { ServedFiles } from '../../activation/lazyFiles.ts';
import { schemes } from '../../ids.ts';

/** What an answer's document shows; whoever runs keeps it up to date. */
export interface AnswerContent {
  text: string;
  lenses: readonly vscode.Command[];
}

/**
 * An answer is shown anew this often at most, in milliseconds. The editor asks for links once text and links have
 * been still for 250 ms: a shorter time would keep *Cancel* away from an answer that streams.
 */
const showEveryMs = 500;
/** Answers whose documents are closed are let go of, but for the last ones. */
const keepClosed = 10;

/** The address of the document of a run, or of a series. @param title what its tab shows */
export function answerUri(id: string, title: string, scheme: string = schemes.answer): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${title.replaceAll('/', '∕')}`, query: id });
}

/**
 * The read-only documents of answers, as files: their tabs come back after a reload. What an app answered is shown as
 * plain text, never as anything richer.
 */
export class AnswerDocuments implements ServedFiles, vscode.CodeLensProvider, vscode.Disposable {
  readonly #find: (id: string) => Promise<AnswerContent | undefined>;
  readonly #scheme: string;
  readonly #contents = new Map<string, AnswerContent & { changedAt: number }>();
  /** Those that were found, by their runs: nobody else keeps them up to date. */
  readonly #found = new Map<string, vscode.Uri>();
  readonly #pending = new Map<string, NodeJS.Timeout>();
  readonly #fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  // Before the registration, which looks for it at once.
  readonly onDidChangeFile = this.#fileChanged.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly #registered: vscode.Disposable;

  /** @param find what is kept of the answer of a run, for a document that was open in this window before */
  constructor(find: (id: string) => Promise<AnswerContent | undefined>, scheme: string = schemes.answer) {
    this.#find = find;
    this.#scheme = scheme;
    this.#registered = vscode.Disposable.from(
      vscode.languages.registerCodeLensProvider({ scheme }, this),
      // A change that is told while the document is still being opened is lost: a quick answer would stay unseen.
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (uri.scheme === scheme) this.#tell(uri);
      }),
      this.#fileChanged,
      this.#lensesChanged,
    );
  }

  /** @param id of the run */
  uri(id: string, title: string): vscode.Uri {
    return answerUri(id, title, this.#scheme);
  }

  set(uri: vscode.Uri, content: AnswerContent): void {
    this.#keep(uri, content);
    const key = uri.toString();
    if (this.#pending.has(key)) return;
    const show = (): void => {
      this.#pending.delete(key);
      this.#tell(uri);
      this.#lensesChanged.fire();
    };
    this.#pending.set(key, setTimeout(show, showEveryMs));
  }

  /** What is known of a run has changed: shows it where its document was found, and is not under way. */
  async renew(id: string): Promise<void> {
    const uri = this.#found.get(id);
    const content = uri && (await this.#find(id));
    if (uri !== undefined && content !== undefined) this.set(uri, content);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, changedAt } = await this.#content(uri);
    const size = Buffer.byteLength(text);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, permissions, ctime: 0, mtime: changedAt, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.#content(uri)).text);
  }

  async provideCodeLenses({ uri }: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const top = new vscode.Range(0, 0, 0, 0);
    const { lenses } = await this.#content(uri);
    return lenses.map((command) => new vscode.CodeLens(top, command));
  }

  dispose(): void {
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#registered.dispose();
  }

  async #content(uri: vscode.Uri): Promise<AnswerContent & { changedAt: number }> {
    const key = uri.toString();
    const known = this.#contents.get(key);
    if (known !== undefined) return known;
    const found = await this.#find(uri.query);
    if (found !== undefined && !this.#contents.has(key)) {
      this.#found.set(uri.query, uri);
      this.#keep(uri, found);
    }
    return this.#contents.get(key) ?? { text: t('This answer is no longer kept.'), lenses: [], changedAt: 0 };
  }

  #keep(uri: vscode.Uri, { text, lenses }: AnswerContent): void {
    const key = uri.toString();
    // The editor reads what has a later time than before, and takes what holds a zero for no text.
    const changedAt = Math.max(Date.now(), (this.#contents.get(key)?.changedAt ?? 0) + 1);
    this.#contents.delete(key);
    this.#contents.set(key, { text: text.replaceAll('\0', '␀'), lenses, changedAt });
    this.#letGo();
  }

  #tell(uri: vscode.Uri): void {
    this.#fileChanged.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  #letGo(): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const closed = [...this.#contents.keys()].filter((key) => !open.has(key));
    for (const key of closed.slice(0, -keepClosed)) {
      this.#contents.delete(key);
      this.#found.delete(vscode.Uri.parse(key).query);
    }
  }
}
