import { randomBytes } from 'node:crypto';
import { Channel, type Port } from '../model/channel.ts';
import type { HostCalls, ListenerWorkerData, WorkerCalls } from '../model/listenerProtocol.ts';
import { translateBy } from '../model/translate.ts';
import { DeliveryReader } from './deliveryReader.ts';
import { DeliveryStore } from './deliveryStore.ts';
import { Forwarder } from './forwarder.ts';
import { WebhookListener } from './listener.ts';
import { Outbox } from './outbox.ts';
import { reasonFor } from './reasonFor.ts';
import { replay, resigningSecret, sendTest } from './replay.ts';

/** Puts the listener's parts together and answers what the host asks. */
export function runListenerThread(port: Port, { folder, settings, messages }: ListenerWorkerData): void {
  const t = translateBy(messages);
  const now = (): number => Date.now();
  // Ids of two sessions never meet, though both count from one.
  const session = randomBytes(4).toString('hex');
  let count = 0;
  const sending = { now, t };
  /** Of the replays under way. */
  let replays = new AbortController();
  let current = settings;
  const store = new DeliveryStore({
    folder,
    keep: settings.keep,
    onProblem: (problem) => void channel.request('journal', { problem: problem?.message }),
    onChanged: (id) => outbox.changed(id),
    reasonFor: (delivery) => reasonFor(delivery, current, t),
    t,
  });
  const reader = new DeliveryReader(store);
  const forwarder = new Forwarder(() => performance.now());
  const listener = new WebhookListener({
    store,
    forwarder,
    settings,
    now,
    nextId: () => `${session}-${(count += 1).toString()}`,
    onArrived: (id) => outbox.arrived(id),
    onRefused: (refused) => outbox.refused(refused),
    t,
  });
  const channel = new Channel<WorkerCalls, HostCalls>(port, {
    configure: (changed) => {
      current = changed;
      listener.configure(changed);
      store.setKeep(changed.keep);
      return null;
    },
    listen: async (asked) => {
      const listening = await listener.listen(asked.port);
      // The window that had the port before it was reloaded may have kept deliveries up to now.
      store.load();
      return { port: listening };
    },
    close: async () => {
      await listener.close();
      return null;
    },
    list: ({ limit }) => reader.list(limit),
    page: ({ filter, limit }) => reader.page(filter, limit),
    get: ({ id }) => store.get(id),
    clear: () => {
      store.clear();
      return null;
    },
    replay: ({ id, to, resign }) => {
      const kept = store.kept(id);
      const secret = resign ? resigningSecret(kept, current.secrets) : undefined;
      return replay(kept, to, secret, { ...sending, signal: replays.signal });
    },
    stopReplays: () => {
      replays.abort();
      replays = new AbortController();
      return null;
    },
    sendTest: ({ to, body, secret }) => sendTest(to, body, secret, crypto.randomUUID(), sending),
    setNextResponses: (next) => {
      listener.setNextResponses(next);
      return null;
    },
    noteRun: (run) => {
      store.noteRun(run);
      return null;
    },
    noteApp: ({ id, appName }) => {
      store.note({ id, appName });
      return null;
    },
    expectProbe: ({ nonce }) => {
      listener.probes.expect(nonce);
      return null;
    },
    collectProbe: ({ nonce }) => listener.probes.collect(nonce) ?? null,
    end: async () => {
      await listener.close();
      outbox.close();
      forwarder.close();
      store.close();
      return null;
    },
  });
  const outbox = new Outbox({
    arrival: (id) => {
      const arrival = store.arrival(id);
      return arrival && listener.isHandingOn(id) ? { ...arrival, isHandedOn: true } : arrival;
    },
    delivery: (id) => store.arrival(id)?.delivery,
    unverified: () => store.unverified,
    send: (news) => channel.request('arrived', news),
  });
  store.load();
}
