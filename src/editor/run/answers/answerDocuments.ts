import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
import type { ServedFiles } from '../../activation/lazyFiles.ts';
import { commandIds, schemes } from '../../ids.ts';
import { withUtf8Mark } from '../../../model/text/utf8Mark.ts';
import { answerUri, type AskedAnswer, askedOf } from './answerUri.ts';

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
/** And one that is long less often, so that the editor has time for other things: so many UTF-16 units take a millisecond. */
const unitsPerMs = 1000;
/** Answers whose documents are closed are let go of, but for the last ones. */
const keepClosed = 10;

/** What a document shows, made when the editor reads it: what streams changes more often. */
interface Shown {
  make: () => AnswerContent;
  made?: AnswerContent;
  changedAt: number;
  /** The text that the editor was last told of. */
  told?: string;
}

/**
 * The read-only documents of answers, as files: their tabs come back after a reload. What an app answered is shown as
 * plain text, never as anything richer.
 */
export class AnswerDocuments implements ServedFiles, vscode.CodeLensProvider, vscode.Disposable {
  readonly #find: (asked: AskedAnswer) => Promise<AnswerContent | undefined>;
  readonly #scheme: string;
  readonly #contents = new Map<string, Shown>();
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
  constructor(
    find: (asked: AskedAnswer) => Promise<AnswerContent | undefined>,
    scheme: string = schemes.answer,
  ) {
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

  /** Whether the answer of a run is on show, or was a moment ago. */
  has(uri: vscode.Uri): boolean {
    return this.#contents.has(uri.toString());
  }

  /** @param make gives what is to be shown whenever the editor reads it */
  set(uri: vscode.Uri, make: () => AnswerContent): void {
    const key = uri.toString();
    const shown = this.#keep(key, make);
    if (this.#pending.has(key)) return;
    const show = (): void => {
      this.#pending.delete(key);
      const now = this.#contents.get(key);
      if (now !== undefined && this.#isNews(now)) this.#tell(uri);
      this.#lensesChanged.fire();
    };
    const length = shown.told?.length ?? 0;
    this.#pending.set(key, setTimeout(show, showEveryMs + length / unitsPerMs));
  }

  /** What is known of a run has changed: shows it where its document was found, and is not under way. */
  async renew(id: string): Promise<void> {
    const uri = this.#found.get(id);
    const content = uri && (await this.#find(askedOf(uri)));
    if (uri !== undefined && content !== undefined) this.set(uri, () => content);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { text, changedAt } = await this.#content(uri);
    const size = withUtf8Mark(text).length;
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, permissions, ctime: 0, mtime: changedAt, size };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return withUtf8Mark((await this.#content(uri)).text);
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
    if (!this.#contents.has(key)) {
      const found = await this.#find(askedOf(uri));
      if (found !== undefined && !this.#contents.has(key)) {
        this.#found.set(uri.query, uri);
        this.#keep(key, () => found);
      }
    }
    const shown = this.#contents.get(key);
    return shown === undefined
      ? { ...nothingKept(askedOf(uri).id), changedAt: 0 }
      : { ...contentOf(shown), changedAt: shown.changedAt };
  }

  #keep(key: string, make: () => AnswerContent): Shown {
    const before = this.#contents.get(key);
    // The editor reads what has a later time than before.
    const changedAt = Math.max(Date.now(), (before?.changedAt ?? 0) + 1);
    const shown: Shown = { make, changedAt, ...(before?.told !== undefined && { told: before.told }) };
    this.#contents.set(key, shown);
    if (before === undefined) this.#letGo();
    return shown;
  }

  /** A long answer that streams changes in its lenses alone: the editor need not read the same text again. */
  #isNews(shown: Shown): boolean {
    const { text } = contentOf(shown);
    const isNews = text !== shown.told;
    shown.told = text;
    return isNews;
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

function contentOf(shown: Shown): AnswerContent {
  if (shown.made === undefined) {
    const { text, lenses } = shown.make();
    // The editor takes what holds a zero for no text.
    shown.made = { text: text.replaceAll('\0', '␀'), lenses };
  }
  return shown.made;
}

function nothingKept(id: string): AnswerContent {
  const title = `$(debug-restart) ${t('Run Again')}`;
  return {
    text: t('This answer is no longer kept.'),
    lenses: [{ title, command: commandIds.runAgain, arguments: [{ argument: { id } }] }],
  };
}
