import * as vscode from 'vscode';
import { waitFor } from '../support/time/waitFor.ts';

/** A message as it goes to the webview: a call of the host with what it takes, or an answer to a call of the page. */
interface SentMessage {
  t: 'q' | 's';
  i: string;
  m?: string;
  a?: unknown[];
  r?: Record<string, unknown>;
  e?: { message: string };
}

/** The answer to a call of the page. */
interface Answer {
  gives?: Record<string, unknown>;
  failure?: { message: string };
}

/** Stands in for the webview of a panel: what it posts is written by the test, and what it is sent is kept. */
export class WebviewRig {
  readonly sent: SentMessage[] = [];
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
  async ask(name: string, ...takes: unknown[]): Promise<Answer> {
    this.#lastId += 1;
    const id = `call ${this.#lastId}`;
    this.post({ t: 'q', i: id, m: name, a: takes });
    const { r: gives, e: failure } = await waitFor(`an answer to ${name}`, () =>
      this.sent.find(({ t, i }) => t === 's' && i === id),
    );
    return { gives, failure };
  }

  /** What the host has told the page by calls of that name. */
  told(name: string): unknown[] {
    return this.sent.filter(({ m }) => m === name).map(({ a = [] }) => a[0]);
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
      postMessage: (message: SentMessage) => {
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
