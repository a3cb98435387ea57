import * as vscode from 'vscode';
import { t } from '../../../model/text/l10n.ts';
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

/** The read-only documents of answers. What an app answered is shown as plain text, never as anything richer. */
export class AnswerDocuments
  implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable
{
  readonly #contents = new Map<string, AnswerContent>();
  readonly #pending = new Map<string, NodeJS.Timeout>();
  readonly #textChanged = new vscode.EventEmitter<vscode.Uri>();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  // Before the registration, which looks for them at once.
  readonly onDidChange = this.#textChanged.event;
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly #registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(schemes.answer, this),
    vscode.languages.registerCodeLensProvider({ scheme: schemes.answer }, this),
    // A change that is told while the document is still being opened is lost: a quick answer would stay unseen.
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.scheme === schemes.answer) this.#textChanged.fire(uri);
    }),
    this.#textChanged,
    this.#lensesChanged,
  );

  /** @param id of the run */
  uri(id: string, title: string): vscode.Uri {
    return vscode.Uri.from({ scheme: schemes.answer, path: `/${title.replaceAll('/', '∕')}`, query: id });
  }

  set(uri: vscode.Uri, content: AnswerContent): void {
    const key = uri.toString();
    this.#contents.delete(key);
    this.#contents.set(key, content);
    this.#letGo();
    if (this.#pending.has(key)) return;
    const show = (): void => {
      this.#pending.delete(key);
      this.#textChanged.fire(uri);
      this.#lensesChanged.fire();
    };
    this.#pending.set(key, setTimeout(show, showEveryMs));
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#contents.get(uri.toString())?.text ?? t('This answer is no longer kept.');
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    const lenses = this.#contents.get(document.uri.toString())?.lenses ?? [];
    return lenses.map((command) => new vscode.CodeLens(top, command));
  }

  dispose(): void {
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#registered.dispose();
  }

  #letGo(): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const closed = [...this.#contents.keys()].filter((key) => !open.has(key));
    for (const key of closed.slice(0, -keepClosed)) this.#contents.delete(key);
  }
}
