import { join } from 'node:path';
import type { Delivery } from '../../contract/delivery.ts';
import type { ListenerSettings, News } from '../../deliveries/listenerProtocol.ts';
import { programFolder } from '../attach/controlFile.ts';
import { WebhookListener } from '../intake/listener.ts';
import { DeliveryStore } from '../store/deliveryStore.ts';
import { deliveriesFolder } from '../store/storeFile.ts';
import { DeliveryFeed } from './deliveryFeed.ts';
import { checkEachSecond } from './folderCheck.ts';
import { FolderLock } from './folderLock.ts';

/** Why a listener cannot listen, or what it cannot do while it does. */
export type ListenerTrouble =
  | { kind: 'port' | 'folder'; error: unknown }
  /** Only one program keeps deliveries in a folder. */
  | { kind: 'taken' };

/** Another program has the folder, or nothing can be kept in it, or the port cannot be had. */
export class CannotListenError extends Error {
  readonly trouble: ListenerTrouble;

  constructor(trouble: ListenerTrouble) {
    super(`The listener cannot listen: ${trouble.kind}`);
    this.trouble = trouble;
  }
}

export interface OwnListenerOptions {
  /** The storage folder. No other program may listen for it at the same time. */
  folder: string;
  /** 0 for any free port. */
  port: number;
  settings: ListenerSettings;
  onNews: (news: News, told: ToldListener) => void;
  /** Deliveries cannot be kept, and get no answer, which their sender sees; undefined once they can be again. */
  onProblem?: (problem: Error | undefined) => void;
  /** The file of the deliveries was broken, and is kept at that path. */
  onSetAside?: (path: string) => void;
  /** How many forwards were lost, and why. */
  onLost?: (lost: 'tooMany' | 'endedBefore', count: number) => void;
  /** Another program listens for the folder, which was removed meanwhile. */
  onReplaced?: () => void;
}

/** What news are understood with. */
export interface ToldListener {
  store: DeliveryStore;
  /** Adds what of a delivery holds at this moment alone. */
  asToldNow: (delivery: Delivery) => Delivery;
}

/** A listener in this process, with a store of its own, for a program that has no windows. */
export interface OwnListener extends ToldListener {
  port: number;
  /** Takes the deliveries of a relay. */
  takeRelayed: WebhookListener['takeRelayed'];
  /** Requests that have arrived whole are still answered, kept and told by `onNews`. */
  end(): Promise<void>;
}

/** @throws CannotListenError */
export async function startOwnListener(options: OwnListenerOptions): Promise<OwnListener> {
  const { folder, port, settings, onNews, onProblem, onSetAside, onLost, onReplaced } = options;
  const lock = await lockOf(folder);
  /** Undefined until all that has to be there before it listens was there. */
  let feed: DeliveryFeed | undefined;
  let store: DeliveryStore;
  try {
    store = new DeliveryStore({
      folder: deliveriesFolder(folder),
      keep: settings.keep,
      now: Date.now,
      onProblem: (problem) => {
        // Until then, the problem is the reason why it cannot listen.
        if (feed !== undefined) onProblem?.(problem);
        else if (problem !== undefined) throw new CannotListenError({ kind: 'folder', error: problem });
      },
      onSetAside: (path) => onSetAside?.(path),
      onUnforwarded: (count) => onLost?.('tooMany', count),
      onGone: (ids) => listener.forwardQueue.drop(ids),
      onChanged: () => feed?.changed(),
    });
  } catch (error) {
    lock.release();
    throw error;
  }
  const listener: WebhookListener = new WebhookListener({
    store,
    now: Date.now,
    onTurnedAway: (what) => feed?.unkept.add(what),
  });
  listener.configure(settings);
  const told: ToldListener = { store, asToldNow: (delivery) => listener.asToldNow(delivery) };
  let endChecks = (): void => undefined;
  const end = async (): Promise<void> => {
    endChecks();
    await listener.close();
    feed?.close();
    for (let news = feed?.next(); news !== undefined; news = feed?.next()) onNews(news, told);
    listener.forwardQueue.close();
    listener.reasons.close();
    store.close();
    // Last, since another program may start to listen from here on.
    lock.release();
  };
  try {
    store.trim();
    store.endForwards((count) => onLost?.('endedBefore', count));
    feed = new DeliveryFeed({
      ...told,
      send: (news) => {
        onNews(news, told);
        return Promise.resolve();
      },
      explain: () => listener.reasons.findSome(),
      after: store.revision,
    });
    const actualPort = await listener.listen(port).catch((error: unknown) => {
      throw new CannotListenError({ kind: 'port', error });
    });
    endChecks = checkEachSecond(
      async () => {
        if (!(await lock.keep())) onReplaced?.();
      },
      // Says why before the first delivery that cannot be kept.
      () => store.trim(),
    );
    return {
      port: actualPort,
      ...told,
      takeRelayed: (place, request) => listener.takeRelayed(place, request),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** @throws CannotListenError if another program has the folder, or nothing can be kept in it */
async function lockOf(folder: string): Promise<FolderLock> {
  const lock = new FolderLock(join(folder, programFolder));
  let isTaken: boolean;
  try {
    isTaken = await lock.take(0);
  } catch (error) {
    throw new CannotListenError({ kind: 'folder', error });
  }
  // guard S127: Only one program keeps deliveries in a folder.
  if (isTaken) return lock;
  throw new CannotListenError({ kind: 'taken' });
}
