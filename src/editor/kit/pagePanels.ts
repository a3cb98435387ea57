import * as v from 'valibot';
import * as vscode from 'vscode';

/** Panels of one type: one for each subject, such as an app. */
export interface PanelKind<Subject, View> {
  viewType: string;
  /** Reads the subject from the state that a webview keeps. */
  state: v.GenericSchema<unknown, Subject>;
  keyOf: (subject: Subject) => string;
  /** Fills a panel that was opened or restored. */
  fill: (panel: vscode.WebviewPanel, subject: Subject) => View;
}

/** The open panels of one type. They are restored after a reload of the window. */
export class PagePanels<Subject, View> implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #kind: PanelKind<Subject, View>;
  readonly #open = new Map<string, { panel: vscode.WebviewPanel; view: View }>();

  constructor(kind: PanelKind<Subject, View>) {
    this.#kind = kind;
  }

  /** Opens the page of a subject, or reveals the open one. @param column the column of a new panel */
  open(subject: Subject, column: vscode.ViewColumn): View {
    const { keyOf, viewType } = this.#kind;
    const open = this.#open.get(keyOf(subject));
    open?.panel.reveal();
    return open?.view ?? this.#adopt(vscode.window.createWebviewPanel(viewType, '', column), subject);
  }

  get views(): View[] {
    return [...this.#open.values()].map(({ view }) => view);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = v.safeParse(this.#kind.state, state);
    if (read.success && !this.#open.has(this.#kind.keyOf(read.output))) this.#adopt(panel, read.output);
    else panel.dispose();
    return Promise.resolve();
  }

  dispose(): void {
    for (const { panel } of [...this.#open.values()]) panel.dispose();
  }

  #adopt(panel: vscode.WebviewPanel, subject: Subject): View {
    const key = this.#kind.keyOf(subject);
    const view = this.#kind.fill(panel, subject);
    this.#open.set(key, { panel, view });
    panel.onDidDispose(() => this.#open.delete(key));
    return view;
  }
}
