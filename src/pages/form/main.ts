import type { Draft, FormApp, FormHostCalls, FormPageCalls } from './formProtocol.ts';
import { startPage } from '../startPage.ts';
import { Form, type Sent } from './form.ts';
import { FormModel } from './formModel.ts';

/** The state that outlives the script. The host reads its `app`. */
interface FormState extends Draft {
  app: FormApp;
  sent?: Sent | undefined;
}

startPage<FormHostCalls, FormPageCalls, FormState, Form>(
  ({ root, host, content: { shown, draft, fill, isApplying }, state, setState }) => {
    // A closed tab loses its own state, but the host still has what was typed there.
    const last = state ?? draft;
    const known = shown.lastApplied?.known ?? {};
    const model = new FormModel(last?.known ?? known, last?.typed);
    // While the project is missing, nothing is known of it: the earlier values stay.
    const changed = shown.obstacle === undefined ? model.learnApply(known, {}) : [];
    const form = new Form(root, shown, model, host, () => {
      const now = { typed: model.typed, known: model.known };
      setState({ app: shown.app, ...now, sent: form.sent });
      host.keep(now).catch((error: unknown) => console.error(error));
    });
    form.noteElsewhere(changed);
    const { sent } = state ?? {};
    if (isApplying) form.awaitOutcome(sent);
    else if (sent !== undefined && (shown.lastApplied?.at ?? 0) < sent.at) form.interrupted(sent);
    form.fill(fill);
    // An editor of a webview has the focus before its page does.
    if (document.hasFocus()) form.start();
    else window.addEventListener('focus', () => form.start(), { once: true });
    return form;
  },
  (form) => ({
    show: async (content) => {
      (await form).learn(content);
    },
    tokenChanged: async () => {
      (await form).tokenChanged();
    },
    fill: async (settings) => {
      (await form).fill(settings);
    },
    sending: async (settings) => {
      (await form).sending(settings);
    },
  }),
);
