import * as vscode from 'vscode';
import { type Log, logError } from '../../log.ts';
import { shownIn } from '../deliveryUri.ts';

/** A draft is saved after this time without typing, in milliseconds. */
const saveDelayMs = 300;

/** Saves drafts as the user types, so that the editor never asks to save them, on closing a tab or after a reload. */
export class DraftSaver implements vscode.Disposable {
  readonly #log: Log;
  readonly #timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #changed: vscode.Disposable;

  constructor(log: Log) {
    this.#log = log;
    this.#changed = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (shownIn(document.uri)?.part === 'draft' && document.isDirty) this.#saveLater(document);
    });
  }

  dispose(): void {
    this.#changed.dispose();
    for (const timer of this.#timers.values()) clearTimeout(timer);
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

/** Saves without formatting: a normal save would reformat half-typed text if the user has format on save. */
async function save(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed || !document.isDirty) return;
  if (vscode.window.activeTextEditor?.document === document) {
    await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
  } else {
    await document.save();
  }
}
