import type * as v from 'valibot';
import * as vscode from 'vscode';
import { type Calls, Channel, type Handlers } from '../../model/processes/channel.ts';
import type { ContentOf, PageCalls } from '../../model/processes/pageProtocol.ts';
import type { Log } from '../log.ts';
import { readableError } from '../reportError.ts';
import { pageHtml, pageResources } from './pageHtml.ts';
import { webviewPort } from './webviewPort.ts';

/** A kind of page. */
export interface Page {
  /** Of its script in `dist` and its styles in `media`. */
  name: string;
  /** Of the messages that its script sends (`pageMessageSchema`). */
  messages: v.GenericSchema;
}

/** What the host does for a page. */
export interface PageHost<ToHost extends PageCalls> {
  title: string;
  /** What the script begins with; the translations go along. It may ask again: a hidden webview is gone. */
  load: () => ContentOf<ToHost> | Promise<ContentOf<ToHost>>;
  /** What else the page may ask. */
  handlers: Omit<Handlers<ToHost>, 'load'>;
  /** How the page is called where one of these fails: "The settings form". */
  calledAs: string;
}

/** What a page needs of the window. */
export interface PageServices {
  extensionUri: vscode.Uri;
  log: Log;
}

/**
 * A webview panel with one of our pages. Its webview is thrown away while the tab is hidden: what the page has to keep
 * lies in the webview's own state, and the host tells the rest again when the script asks for it.
 */
export class PagePanel<ToPage extends Calls, ToHost extends PageCalls> {
  readonly #panel: vscode.WebviewPanel;
  readonly #channel: Channel<ToPage, ToHost>;
  readonly #log: Log;
  #loaded = false;

  constructor(
    panel: vscode.WebviewPanel,
    { name, messages }: Page,
    { title, load, handlers, calledAs }: PageHost<ToHost>,
    { extensionUri, log }: PageServices,
  ) {
    this.#panel = panel;
    this.#log = log;
    const all = {
      ...handlers,
      load: async () => {
        const content = await load();
        this.#loaded = true;
        return { content, messages: vscode.l10n.bundle ?? {} };
      },
    } as Handlers<ToHost>;
    const port = webviewPort(panel.webview, name, messages, log);
    // The page shows it.
    this.#channel = new Channel(port, all, (error) => readableError(log, calledAs, error));
    panel.onDidDispose(() => this.#channel.close(new Error('The page was closed.')));
    panel.onDidChangeViewState(() => {
      // A hidden webview is gone; the next one loads anew.
      if (!panel.visible) this.#loaded = false;
    });
    panel.webview.options = { enableScripts: true, localResourceRoots: pageResources(extensionUri) };
    panel.title = title;
    panel.webview.html = pageHtml(panel.webview, extensionUri, name, title);
  }

  /** Whether the script is there, and was told what to show. */
  get isLoaded(): boolean {
    return this.#loaded;
  }

  set title(title: string) {
    this.#panel.title = title;
  }

  /** Asks something of the script, where it is there. */
  tell<Name extends keyof ToPage & string>(name: Name, takes: ToPage[Name]['takes']): void {
    if (!this.#loaded) return;
    this.#channel.request(name, takes).catch((error: unknown) => this.#log.debug(`A page: ${String(error)}`));
  }
}
