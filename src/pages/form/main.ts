import type { Draft, FormApp, FormHead, FormHostCalls, FormPageCalls } from './formProtocol.ts';
import { startPage } from '../startPage.ts';
import { Form, type Sent } from './form.ts';
import { FormModel } from './formModel.ts';
import { focusPlace, followPlace, type Place, scrollToPlace } from './place.ts';

/** The state that outlives the script. The host reads its `app` and `head`. */
interface FormState extends Draft {
  app: FormApp;
  head: FormHead;
  sent?: Sent | undefined;
  place?: Place;
}

startPage<FormHostCalls, FormPageCalls, FormState, Form>(
  ({ root, host, content, state, setState }) => {
    const { shown, draft, fill, isApplying } = content;
    // A closed tab loses its own state, but the host still has what was typed there.
    const last = state ?? draft;
    const known = shown.lastApplied?.known ?? {};
    const model = new FormModel(last?.known ?? known, last?.typed);
    // Where nothing is known of the app now, such as without an address, the earlier values stay.
    const isKnown = shown.obstacle === undefined || shown.lastApplied !== undefined;
    const changed = isKnown ? model.learnApply(known, {}) : [];
    const { sent, place = { top: 0, focused: '' } } = state ?? {};
    const now = () => ({ typed: model.typed, known: model.known });
    const keepState = () => setState({ app: shown.app, head: form.head, ...now(), sent: form.sent, place });
    const keep = () => {
      keepState();
      host.keep(now()).catch((error: unknown) => console.error(error));
    };
    // An editor of a webview has the focus before its page does.
    const refocus = () => {
      if (document.hasFocus()) focusPlace(root, place);
      else window.addEventListener('focus', () => focusPlace(root, place), { once: true });
    };
    const form = new Form(root, content, model, host, keep, refocus);
    form.noteElsewhere(changed);
    form.draw();
    if (isApplying) form.awaitOutcome(sent);
    else if (sent !== undefined && (shown.lastApplied?.at ?? 0) < sent.at) form.interrupted(sent);
    if (Object.keys(fill).length > 0) form.fill(fill);
    keep();
    scrollToPlace(place);
    followPlace(root, place, keepState);
    refocus();
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
    asking: async (isAsking) => {
      (await form).asking(isAsking);
    },
  }),
);
