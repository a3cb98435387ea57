import * as v from 'valibot';
import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import { messageSchema } from '../../shared/rpc/messageSchema.ts';
import { type ContentOf, type PageCalls, readTakes } from '../../shared/rpc/pageProtocol.ts';
import { connectRpc, type Handlers, type Remote, type Rpc } from '../../shared/rpc/rpc.ts';
import { UserError } from '../../shared/text/userError.ts';
import { type Log, readableError } from './log.ts';

/** A kind of page. */
export interface Page {
  /** The name of its script in `dist`, and of its styles and icons in `media`. */
  name: string;
  /** What each call of its script takes. */
  schemas: Readonly<Record<string, v.GenericSchema>>;
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
export class PagePanel<ToPage extends object, ToHost extends PageCalls> {
  readonly #panel: vscode.WebviewPanel;
  readonly #rpc: Rpc<ToPage>;
  readonly #log: Log;
  #loaded = false;

  constructor(
    panel: vscode.WebviewPanel,
    { name, schemas }: Page,
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
    const refuse = (reason: string) => log.warn(`A message of the page ${name} was refused: ${reason}`);
    const port = {
      post: (message: unknown) => {
        panel.webview.postMessage(message).then(undefined, (error: unknown) => log.warn(String(error)));
      },
      // VS Code for the Web may share its origin with the webview, so anybody could send messages.
      onMessage: (listener: (message: unknown) => void) =>
        panel.webview.onDidReceiveMessage((data: unknown) => {
          const message = v.safeParse(messageSchema, data);
          if (message.success) listener(message.output);
          else refuse(message.issues[0].message);
        }),
    };
    this.#rpc = connectRpc<ToPage, ToHost>(port, allHandlers, {
      check: (call, takes) => {
        const read = readTakes(schemas, call, takes);
        if (read.success) return read.output;
        refuse(read.issues[0].message);
        throw new UserError('The request does not fit the protocol.');
      },
      // The page shows the error.
      explain: (error) => readableError(log, calledAs, error),
    });
    panel.onDidDispose(() => this.#rpc.close(new Error('The page was closed.')));
    panel.onDidChangeViewState(() => {
      // A hidden webview is destroyed; the next one loads again.
      if (!panel.visible) this.#loaded = false;
    });
    panel.webview.options = { enableScripts: true, localResourceRoots: pageResources(extensionUri) };
    panel.title = title;
    const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, 'media', `${name}-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    panel.webview.html = pageHtml(panel.webview, extensionUri, name, title);
  }

  /** Whether the script is running and has its content. */
  get isLoaded(): boolean {
    return this.#loaded;
  }

  set title(title: string) {
    this.#panel.title = title;
  }

  /** Calls the script, if it is loaded. */
  tell(call: (page: Remote<ToPage>) => Promise<unknown>): void {
    if (!this.#loaded) return;
    call(this.#rpc.call).catch((error: unknown) => this.#log.debug(`A page: ${String(error)}`));
  }
}

/** The folders that a page may load from: its script, its styles and the icons. Nothing else on this machine. */
function pageResources(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')];
}

/**
 * The HTML document of a page. It is empty: the script renders the page.
 * @param name the name of its script in `dist` and of its styles in `media`
 */
function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: string, title: string): string {
  const uri = (...path: string[]) =>
    escaped(webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString());
  const nonce = randomBytes(18).toString('base64');
  const source = webview.cspSource;
  const policy = [
    "default-src 'none'",
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escaped(vscode.env.language)}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${escaped(policy)}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escaped(title)}</title>
    <link id="vscode-codicon-stylesheet" rel="stylesheet" href="${uri('dist', 'codicons', 'codicon.css')}" />
    <link rel="stylesheet" href="${uri('media', 'page.css')}" />
    <link rel="stylesheet" href="${uri('media', `${name}.css`)}" />
  </head>
  <body>
    <main id="${name}"></main>
    <script nonce="${nonce}" src="${uri('dist', `${name}.js`)}"></script>
  </body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Panels of one type: one for each key of a subject, such as an app. */
export interface PanelKind<Subject, View> {
  viewType: string;
  /** Reads the subject from the state that a webview keeps. */
  state: v.GenericSchema<unknown, Subject>;
  /** Absent: there is one panel, which shows one subject after the other. */
  keyOf?: (subject: Subject) => string;
  /** The title of the panel of a subject; absent where there is one panel. */
  titleOf?: (subject: Subject) => string;
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
    const { viewType } = this.#kind;
    const open = this.#open.get(this.#keyOf(subject));
    // A link of the walkthrough makes a group for it, which would stay empty.
    const { tabs, viewColumn } = vscode.window.tabGroups.activeTabGroup;
    const made = tabs.length === 0 ? viewColumn : undefined;
    open?.panel.reveal(made);
    if (open !== undefined) return open.view;
    const left = this.#leftTabs(subject);
    const before = made ?? left[0]?.group.viewColumn;
    const panel = vscode.window.createWebviewPanel(viewType, '', before ?? column);
    void vscode.window.tabGroups.close(left);
    return this.#adopt(panel, subject);
  }

  /** The tabs that a reload has left of it: the editor restores their panels when they are shown. */
  #leftTabs(subject: Subject): vscode.Tab[] {
    const { titleOf, viewType } = this.#kind;
    const tabs = tabsOf(viewType);
    if (titleOf === undefined) return tabs;
    const title = titleOf(subject);
    const isOpen = [...this.#open.values()].some(({ panel }) => panel.title === title);
    // An open one of the same title may be of another subject: then it is not known which of the tabs is left.
    return isOpen ? [] : tabs.filter(({ label }) => label === title);
  }

  get views(): View[] {
    return [...this.#open.values()].map(({ view }) => view);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const read = v.safeParse(this.#kind.state, state);
    if (read.success && !this.#open.has(this.#keyOf(read.output))) this.#adopt(panel, read.output);
    else panel.dispose();
    return Promise.resolve();
  }

  dispose(): void {
    for (const { panel } of [...this.#open.values()]) panel.dispose();
  }

  #keyOf(subject: Subject): string {
    return this.#kind.keyOf?.(subject) ?? '';
  }

  #adopt(panel: vscode.WebviewPanel, subject: Subject): View {
    const key = this.#keyOf(subject);
    const view = this.#kind.fill(panel, subject);
    this.#open.set(key, { panel, view });
    panel.onDidDispose(() => this.#open.delete(key));
    return view;
  }
}

function tabsOf(viewType: string): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType),
  );
}
