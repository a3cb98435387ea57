import { Channel } from '../model/processes/channel.ts';
import type { Draft, FormApp, FormCalls, HostCalls } from '../model/settings/formProtocol.ts';
import { useBundle } from '../model/text/l10n.ts';
import { Form } from './form.ts';
import { FormModel } from './formModel.ts';

/** What outlives the script: the tab is hidden, the window is reloaded. The host reads `app` of it. */
interface FormState extends Draft {
  app: FormApp;
}

declare global {
  /** What VS Code gives to the script of a webview. */
  function acquireVsCodeApi(): {
    postMessage(message: unknown): void;
    getState(): FormState | undefined;
    setState(state: FormState): void;
  };
}

async function start(root: HTMLElement): Promise<void> {
  const vscode = acquireVsCodeApi();
  const form = Promise.withResolvers<Form>();
  const port = {
    postMessage: (message: unknown) => vscode.postMessage(message),
    on: (_event: 'message', listener: (message: unknown) => void) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data)),
  };
  const host = new Channel<HostCalls, FormCalls>(port, {
    show: async (content) => {
      (await form.promise).learn(content);
    },
    fill: async (settings) => {
      (await form.promise).fill(settings);
    },
  });
  const { content, messages, draft, fill } = await host.request('load', {});
  useBundle(messages);
  // A tab that was closed took its own state with it: the host still has what was typed there.
  const last = vscode.getState() ?? draft;
  const known = content.lastApplied?.known ?? {};
  const model = new FormModel(last?.known ?? known, last?.typed);
  // While the project is away nothing is known of it: what was known stays.
  const changed = content.obstacle === undefined ? model.learn(known) : [];
  const keep = () => {
    const now = { typed: model.typed, known: model.known };
    vscode.setState({ app: content.app, ...now });
    host.request('keep', now).catch((error: unknown) => console.error(error));
  };
  const made = new Form(root, content, model, host, keep);
  made.noteElsewhere(changed);
  made.fill(fill);
  form.resolve(made);
}

const root = document.getElementById('form');
if (root !== null) {
  start(root).catch((error: unknown) => {
    root.textContent = error instanceof Error ? error.message : String(error);
  });
}
