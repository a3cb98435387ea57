import * as vscode from 'vscode';
import { type Log, logError } from '../../kit/log.ts';
import { shownIn } from '../deliveryUri.ts';
import type { DraftStore } from './draftStore.ts';

/** A draft is saved after this time without typing, in milliseconds. */
const saveDelayMs = 300;

/** Saves drafts as the user types, so that the editor never asks to save them, on closing a tab or after a reload. */
export class DraftSaver implements vscode.Disposable {
  readonly #drafts: DraftStore;
  readonly #log: Log;
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #changed: vscode.Disposable;

  constructor(drafts: DraftStore, log: Log) {
    this.#drafts = drafts;
    this.#log = log;
    this.#changed = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isUnsaved(document)) this.#saveLater(document);
    });
  }

  /**
   * Stores what was typed last, since the window is closing. The editor no longer saves documents then, so that the
   * text goes to the store directly.
   */
  async leave(): Promise<void> {
    const unsaved = vscode.workspace.textDocuments.filter(isUnsaved);
    this.dispose();
    await Promise.all(unsaved.map((document) => this.#store(document)));
  }

  dispose(): void {
    this.#changed.dispose();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  async #store(document: vscode.TextDocument): Promise<void> {
    const id = shownIn(document.uri)?.id;
    if (id !== undefined) await this.#drafts.write(id, Buffer.from(document.getText()));
  }

  #saveLater(document: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(document));
    const timer = setTimeout(() => {
      this.#timers.delete(document);
      save(document).catch((error: unknown) => logError(this.#log, error));
    }, saveDelayMs);
    this.#timers.set(document, timer);
  }
}

/** Whether it is a draft with text that is not in its file. */
function isUnsaved({ uri, isDirty }: vscode.TextDocument): boolean {
  return isDirty && shownIn(uri)?.part === 'draft';
}

/** Saves without formatting: a normal save would reformat half-typed text if the user has format on save. */
async function save(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed || !document.isDirty) return;
  if (vscode.window.activeTextEditor?.document === document) {
    await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
  } else {
    await document.save();
  }
}
