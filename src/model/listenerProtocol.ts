import type { Delivery, Verdict } from './delivery.ts';
import type { DeliveryFilter } from './deliveryFilter.ts';
import type { DeliverySummary } from './deliveryList.ts';
import type { HeldSecret } from './webhookSecret.ts';

export type ForwardMode = 'afterAck' | 'passThrough';

/** What the listener goes by; sent whole whenever a part of it changes. */
export interface ListenerSettings {
  /**
   * In the order in which they are tried. Those that verify no more are among them, so that a diagnosis can name
   * them. They reach the worker by message only.
   */
  secrets: readonly HeldSecret[];
  /** How far a timestamp may lie from the clock, in seconds; 0 does not check it. */
  toleranceSeconds: number;
  acceptUnverified: boolean;
  /** Whether strangers reach the listener: then nothing unsigned is accepted, even while no secret is held. */
  isPublic: boolean;
  maxBodyBytes: number;
  /** The user's local app; absent where deliveries are not handed on. */
  forwardTo?: string;
  forwardMode: ForwardMode;
  /** How many deliveries are kept. */
  keep: number;
}

/** What the listener answers next, to try how the sender copes: a status, no answer, or a closed connection. */
export interface NextResponses {
  response: number | 'hang' | 'drop';
  times: number;
}

/** A run that deliveries may belong to. */
export interface NotedRun {
  runId: string;
  appName: string;
  /** Unix milliseconds. */
  startedAt: number;
}

/** A probe of the public address, as it arrived. */
export interface ReceivedProbe {
  /** The request target, query included. */
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** In base64. */
  body: string;
  verdict: Verdict;
}

/** How sending a request ended. */
export interface Sent {
  status: number;
  durationMs: number;
}

/** What the thread needs to be born with. */
export interface ListenerWorkerData {
  /** The folder of the journal. */
  folder: string;
  /** Without the secrets: those reach the thread by message. */
  settings: ListenerSettings;
  /** The translated messages, as `vscode.l10n.bundle` has them. */
  messages: Record<string, string>;
}

/** A request that was turned away before it could become a delivery. */
export interface Refused {
  at: string;
  status: 403 | 405 | 413;
  method: string;
  reason: string;
}

/** A delivery with what the output shows and the contract does not. */
export interface Arrival {
  delivery: Delivery;
  /** Milliseconds from the start of its run, where that is known. */
  sinceRunMs?: number;
  /** Being handed on: what the local app answers is not known yet. */
  isHandedOn?: true;
  /** A repeat of what the local app has taken before, and so not handed on to it again. */
  wasTaken?: true;
}

/** The newest of the kept deliveries that fit a filter. */
export interface DeliveryPage {
  /** Newest first. */
  deliveries: DeliverySummary[];
  /** Whether more are kept that fit. */
  hasMore: boolean;
  /** How many of all that are kept did not verify, whatever the filter. */
  unverified: number;
}

/** What the host asks of the listener's thread. */
export type HostCalls = {
  configure: { takes: ListenerSettings; gives: null };
  listen: { takes: { port: number }; gives: { port: number } };
  /** Stops listening; what was acknowledged stays. */
  close: { takes: null; gives: null };
  /** Newest first. */
  list: { takes: { limit?: number }; gives: Delivery[] };
  /** What the view shows: without bodies, which stay in the thread. */
  page: { takes: { filter: DeliveryFilter; limit: number }; gives: DeliveryPage };
  get: { takes: { id: string }; gives: Delivery };
  clear: { takes: null; gives: null };
  replay: { takes: { id: string; to: string; resign: boolean }; gives: Sent };
  /** Breaks off the replays that are under way: each of them rejects. */
  stopReplays: { takes: null; gives: null };
  sendTest: { takes: { to: string; body: string; secret?: string }; gives: Sent };
  setNextResponses: { takes: NextResponses; gives: null };
  noteRun: { takes: NotedRun; gives: null };
  /** The app of a delivery that names no run. */
  noteApp: { takes: { id: string; appName: string }; gives: null };
  /** A probe with that word in it is no delivery. */
  expectProbe: { takes: { nonce: string }; gives: null };
  /** What has arrived of it by now; it is not expected any longer. */
  collectProbe: { takes: { nonce: string }; gives: ReceivedProbe | null };
  /** Closes the journal; the thread can be ended after it. */
  end: { takes: null; gives: null };
};

/** What has happened since the host was told last. */
export interface News {
  arrivals: Arrival[];
  changed: Delivery[];
  refused: Refused[];
  /** How many of all that are kept did not verify. */
  unverified: number;
}

/** What the listener's thread tells the host; it waits for the reply before it tells more. */
export type WorkerCalls = {
  arrived: { takes: News; gives: null };
  /** Whether deliveries can be kept: why not, or undefined once they can again. */
  journal: { takes: { problem: string | undefined }; gives: null };
};
