import type { ContentOf, PageCalls } from '../shared/rpc/pageProtocol.ts';
import { connectRpc, type Handlers, type Remote } from '../shared/rpc/rpc.ts';
import { useBundle } from '../shared/text/l10n.ts';

declare global {
  /** What VS Code gives to the script of a webview. */
  function acquireVsCodeApi<State>(): {
    postMessage(message: unknown): void;
    getState(): State | undefined;
    setState(state: State): void;
  };
}

/** What the view of a page is made with. */
export interface PageStart<ToHost extends PageCalls, State> {
  root: HTMLElement;
  host: Remote<ToHost>;
  content: ContentOf<ToHost>;
  /** The state of the webview from before the tab was hidden or the window reloaded, if there was one. */
  state: State | undefined;
  /** Sets the state of the webview, which outlives the page. The host reads from it what the page is about. */
  setState: (state: State) => void;
}

/**
 * Runs the script of a page: asks the host what to show, and answers what the host asks.
 * @param begin makes the view
 * @param handlers what the host may ask, once there is a view
 */
export function startPage<ToHost extends PageCalls, ToPage, State, View>(
  begin: (start: PageStart<ToHost, State>) => View,
  handlers: (view: Promise<View>) => Handlers<ToPage>,
): void {
  const root = document.querySelector('main');
  if (root === null) return;
  start(root, begin, handlers).catch((error: unknown) => {
    root.textContent = error instanceof Error ? error.message : String(error);
  });
}

async function start<ToHost extends PageCalls, ToPage, State, View>(
  root: HTMLElement,
  begin: (start: PageStart<ToHost, State>) => View,
  handlers: (view: Promise<View>) => Handlers<ToPage>,
): Promise<void> {
  const vscode = acquireVsCodeApi<State>();
  const view = Promise.withResolvers<View>();
  const port = {
    post: (message: unknown) => vscode.postMessage(message),
    onMessage: (listener: (message: unknown) => void) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data)),
  };
  const { call: host } = connectRpc<ToHost, ToPage>(port, handlers(view.promise));
  const { content, messages } = await (host as unknown as Remote<PageCalls<ContentOf<ToHost>>>).load();
  useBundle(messages);
  const setState = (state: State) => vscode.setState(state);
  view.resolve(begin({ root, host, content, state: vscode.getState(), setState }));
}
