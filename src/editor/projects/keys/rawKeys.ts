import * as vscode from 'vscode';
import type { AccountRef } from '../../../model/projects/project.ts';

const scheme = 'runhook-keys';

/** Read-only documents with the masked response of the service, for lists whose shape was not recognised. */
export class RawKeys implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  readonly onDidChange = this.#changed.event;

  /** @param raw a JSON value without secrets */
  async open({ projectId, serviceAccountId }: AccountRef, raw: unknown): Promise<void> {
    const name = `${projectId} ${serviceAccountId}`.replaceAll('/', '∕');
    const uri = vscode.Uri.from({ scheme, path: `/${name}.json` });
    this.#texts.set(uri.path, documentOf(raw));
    // A document that is already open shows the new list.
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Empty after a reload: lists of an unknown shape are not stored. */
  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.#texts.get(path) ?? '';
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }
}

/** A longer text, in characters, is not indented: nobody reads it, and indentation multiplies its size. */
const maxIndented = 1024 * 1024;

function documentOf(raw: unknown): string {
  const text = JSON.stringify(raw);
  return `${text.length > maxIndented ? text : JSON.stringify(raw, undefined, 2)}\n`;
}
