import { Channel } from '../model/processes/channel.ts';
import type { FormCalls, FormContent, HostCalls } from '../model/settings/formProtocol.ts';
import { useBundle } from '../model/text/l10n.ts';
import { Form, type FormEvents } from './form.ts';
import { FormModel } from './formModel.ts';
import type { VscodeApi } from './vscodeApi.ts';

/** The page's end of the channel to the host. */
function connect(vscode: VscodeApi, form: Promise<Form>): Channel<HostCalls, FormCalls> {
  const port = {
    postMessage: (message: unknown) => vscode.postMessage(message),
    on: (_event: 'message', listener: (message: unknown) => void) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => listener(event.data)),
  };
  return new Channel(port, {
    async show(content) {
      (await form).learn(content);
      return undefined;
    },
    async fill(settings) {
      (await form).fill(settings);
      return undefined;
    },
  });
}

function eventsOf(
  host: Channel<HostCalls, FormCalls>,
  vscode: VscodeApi,
  { app }: FormContent,
  model: FormModel,
): FormEvents {
  return {
    changed() {
      const draft = { typed: model.typed, known: model.known };
      vscode.setState({ app, ...draft });
      host.request('keep', draft).catch((error: unknown) => console.error(error));
    },
    apply: (settings) => host.request('apply', { settings }),
    undo: () => host.request('undo', {}),
    tool: (name, settings) => host.request(name, { settings }),
  };
}

async function start(root: HTMLElement): Promise<void> {
  const vscode = acquireVsCodeApi();
  const form = Promise.withResolvers<Form>();
  const host = connect(vscode, form.promise);
  const { content, messages, draft, fill } = await host.request('load', {});
  useBundle(messages);
  // A tab that was closed took its own state with it: the host still has what was typed there.
  const last = vscode.getState() ?? draft;
  const known = content.lastApplied?.known ?? {};
  const model = new FormModel(last?.known ?? known, last?.typed);
  // While the project is away nothing is known of it: what was known stays.
  const changed = content.obstacle === undefined ? model.learn(known) : [];
  const events = eventsOf(host, vscode, content, model);
  const made = new Form(root, content, model, events);
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
