import * as vscode from 'vscode';
import { type Log, logError } from '../../log.ts';
import { shownIn } from '../deliveryUri.ts';

/** Once nothing is typed for so long, in milliseconds, it is saved. */
const stillMs = 300;

/** Saves drafts as they are typed, so that nobody is asked for it: not when a tab is closed, and not after a reload. */
export class DraftSaver implements vscode.Disposable {
  readonly #log: Log;
  readonly #waiting = new Map<vscode.TextDocument, NodeJS.Timeout>();
  readonly #changed: vscode.Disposable;

  constructor(log: Log) {
    this.#log = log;
    this.#changed = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (shownIn(document.uri)?.part === 'draft' && document.isDirty) this.#wait(document);
    });
  }

  dispose(): void {
    this.#changed.dispose();
    for (const timer of this.#waiting.values()) clearTimeout(timer);
  }

  #wait(document: vscode.TextDocument): void {
    clearTimeout(this.#waiting.get(document));
    const timer = setTimeout(() => {
      this.#waiting.delete(document);
      save(document).catch((error: unknown) => logError(this.#log, error));
    }, stillMs);
    this.#waiting.set(document, timer);
  }
}

/** What is half typed must not be laid out anew: that is what a save of its own would do where the user has it so. */
async function save(document: vscode.TextDocument): Promise<void> {
  if (document.isClosed || !document.isDirty) return;
  if (vscode.window.activeTextEditor?.document === document) {
    await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
  } else {
    await document.save();
  }
}
