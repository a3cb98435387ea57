import * as vscode from 'vscode';
import { waitFor } from '../support/time/waitFor.ts';

/** A reply as it goes to the webview. */
export interface SentReply {
  kind: string;
  id: number;
  gives?: Record<string, unknown>;
  failure?: { message: string };
}

/** Stands in for the webview of a panel: what it posts is written by the test, and what it is sent is kept. */
export class WebviewRig {
  readonly sent: SentReply[] = [];
  /** Of the webview that is open. */
  #received = new vscode.EventEmitter<unknown>();
  readonly #disposed = new vscode.EventEmitter<void>();
  #lastId = 0;
  html = '';

  /** What the webview posts, whatever it is. */
  post(message: unknown): void {
    this.#received.fire(message);
  }

  /** Asks the host as the page does, and waits for its reply. */
  async ask(name: string, takes: unknown = {}): Promise<SentReply> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.post({ kind: 'request', id, name, takes });
    const isReply = (message: SentReply) => message.kind !== 'request' && message.id === id;
    return waitFor(`a reply to ${name}`, () => this.sent.find(isReply));
  }

  /** Closes the tab. */
  close(): void {
    this.#disposed.fire();
  }

  /** A new panel whose webview is this rig. */
  panel(): vscode.WebviewPanel {
    this.#received.dispose();
    this.#received = new vscode.EventEmitter<unknown>();
    const webview = {
      options: {},
      html: '',
      cspSource: 'https://webview.test',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.#received.event,
      postMessage: (message: SentReply) => {
        this.sent.push(message);
        return Promise.resolve(true);
      },
    };
    const panel = {
      webview,
      title: '',
      visible: true,
      onDidDispose: this.#disposed.event,
      onDidChangeViewState: new vscode.EventEmitter<unknown>().event,
    };
    Object.defineProperty(webview, 'html', {
      set: (html: string) => {
        this.html = html;
      },
    });
    return panel as unknown as vscode.WebviewPanel;
  }
}
