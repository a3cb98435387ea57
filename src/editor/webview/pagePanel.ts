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
  /** The name of its script in `dist` and of its styles in `media`. */
  name: string;
  /** The schema of the messages that its script sends (`pageMessageSchema`). */
  messages: v.GenericSchema;
}

/** What the host does for a page. */
export interface PageHost<ToHost extends PageCalls> {
  title: string;
  /** The initial content; translations are added. Called again after the tab was hidden: that ends the webview. */
  load: () => ContentOf<ToHost> | Promise<ContentOf<ToHost>>;
  /** The handlers of the other requests of the page. */
  handlers: Omit<Handlers<ToHost>, 'load'>;
  /** The name of the page in errors of these handlers: "The settings form". */
  calledAs: string;
}

/** What a page needs from the window. */
export interface PageServices {
  extensionUri: vscode.Uri;
  log: Log;
}

/**
 * A webview panel with one of our pages. The webview is destroyed while the tab is hidden: what the page has to keep
 * is in the webview's own state, and the host sends the rest again when the script asks for it.
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
    const allHandlers = {
      ...handlers,
      load: async () => {
        const content = await load();
        this.#loaded = true;
        return { content, messages: vscode.l10n.bundle ?? {} };
      },
    } as Handlers<ToHost>;
    const port = webviewPort(panel.webview, name, messages, log);
    // The page shows the error.
    this.#channel = new Channel(port, allHandlers, (error) => readableError(log, calledAs, error));
    panel.onDidDispose(() => this.#channel.close(new Error('The page was closed.')));
    panel.onDidChangeViewState(() => {
      // A hidden webview is destroyed; the next one loads again.
      if (!panel.visible) this.#loaded = false;
    });
    panel.webview.options = { enableScripts: true, localResourceRoots: pageResources(extensionUri) };
    panel.title = title;
    panel.webview.html = pageHtml(panel.webview, extensionUri, name, title);
  }

  /** Whether the script is running and has its content. */
  get isLoaded(): boolean {
    return this.#loaded;
  }

  set title(title: string) {
    this.#panel.title = title;
  }

  /** Sends a request to the script, if it is loaded. */
  tell<Name extends keyof ToPage & string>(name: Name, takes: ToPage[Name]['takes']): void {
    if (!this.#loaded) return;
    this.#channel.request(name, takes).catch((error: unknown) => this.#log.debug(`A page: ${String(error)}`));
  }
}
