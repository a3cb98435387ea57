import type { Delivery, DeliverySummary, Verdict } from '../deliveries/delivery.ts';
import type { DeliveryEdit } from '../deliveries/deliveryEdit.ts';
import type { DeliveryFilter } from '../deliveries/deliveryFilter.ts';
import type { Routing } from '../routes/routes.ts';
import type { TunnelProgram, TunnelState } from './tunnelState.ts';
import type { HeldSecret } from '../secrets/webhookSecret.ts';

export type ForwardMode = 'afterAck' | 'passThrough';

/** What the listener goes by; sent whole whenever a part of it changes. */
export interface ListenerSettings extends Routing {
  /**
   * In the order in which they are tried. Those that verify no more are among them, so that a diagnosis can name
   * them. They reach the program by message only.
   */
  secrets: readonly HeldSecret[];
  /** How far a timestamp may lie from the clock, in seconds; 0 does not check it. */
  toleranceSeconds: number;
  acceptUnverified: boolean;
  /** Whether strangers reach the listener: then nothing unsigned is accepted, even while no secret is held. */
  isPublic: boolean;
  /** Where they reach it, as far as that is known. */
  publicUrl?: string;
  maxBodyBytes: number;
  forwardMode: ForwardMode;
  /** How many deliveries are kept. */
  keep: number;
  /** How long the program goes on without a window, in seconds; 0 ends it with the last one. */
  keepAliveSeconds: number;
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

/** What a delivery that was sent again was answered. */
export interface Answer extends Sent {
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The first 64 KB, where they are text; else empty. */
  body: string;
}

/** What the local app answered to an attempt, as it came. */
export interface AppAnswer {
  /** Names and values in turn. */
  rawHeaders: readonly string[];
  /** The first 64 KB: text, or base64 where it is none. */
  body: string;
  bodyEncoding?: 'base64';
  /** How many bytes it had; absent where it did not end. */
  bytes?: number;
}

/** A request that was turned away before it could become a delivery. */
export interface Refused {
  at: string;
  status: 403 | 405 | 413;
  method: string;
  reason: string;
}

/** A request that broke off before its body was whole. It got no answer, so that the service may send it again. */
export interface BrokenOff {
  at: string;
  /** How many bytes of its body came. */
  bytes: number;
  /** How many its sender had announced; absent where it had not. */
  announced?: number;
  /** No more came of it for so long that the listener closed it. */
  wasLate?: true;
  /** The run that it names, if that had come. Anybody may have written it there. */
  runId?: string;
}

/** A delivery with what the output shows and the contract does not. */
export interface Arrival {
  delivery: Delivery;
  /** Milliseconds from the start of its run, where that is known. */
  sinceRunMs?: number;
  /** Being forwarded: what the local app answers is not known yet. */
  isForwarding?: true;
  /** A repeat of what the local app has taken before, and so not forwarded to it again. */
  wasTaken?: true;
}

/** A delivery as it is now, for whoever keeps a picture of all of them by their ids. */
export interface Upsert extends Arrival {
  /** The window is told of it for the first time. */
  isNew: boolean;
  /** The window is told of its outcome for the first time: it came, or was handed over since. */
  isJudged: boolean;
}

/** The newest of the kept deliveries that fit a filter. */
export interface DeliveryPage {
  /** Newest first. */
  deliveries: DeliverySummary[];
  /** Whether more are kept that fit. */
  hasMore: boolean;
}

/** Such a page as a window is told of it. */
export interface ToldPage extends DeliveryPage {
  /** The ids of those that the local app has not answered yet. */
  forwarding: string[];
}

/** What a search has found. */
export interface FoundDeliveries extends DeliveryPage {
  /** How many fit of those that are `kept`. */
  hits: number;
  /** Whether these are all: counting may take too long. */
  hasAllHits: boolean;
  kept: number;
  /** The apps that are known, and the names of headers of what was found: some of them, in order. */
  apps: string[];
  headerNames: string[];
}

/** The version of what follows: programs and windows of different ones do not talk to each other. */
export const protocolVersion = 4;

/** How a window presents itself; its first message. */
export interface Hello {
  /** That of the control file. */
  key: string;
  /** The revision up to which this window was told; undefined where it has never been told of any. */
  after?: number;
  settings: ListenerSettings;
  /** The translated messages, as `vscode.l10n.bundle` has them. */
  messages: Record<string, string>;
}

/** Where the program stands. */
export interface ProgramState {
  /** Undefined where it does not listen. */
  port?: number;
  /** Why deliveries cannot be kept, in words or as a code of the system; undefined while they can. */
  problem?: string;
}

export interface Welcome extends ProgramState {
  pid: number;
  /** Unix milliseconds. */
  startedAt: number;
  /** How many deliveries arrived while no window was there. */
  missed: number;
  tunnel: TunnelState;
}

/** What a window asks of the listener program. */
export type ProgramCalls = {
  /** Rejects where the key is not that of the program, whose connection ends then. */
  hello: { takes: Hello; gives: Welcome };
  /** Has the program end at once, for one of another version that waits to take its place; gives the port that it had. */
  handOver: { takes: { key: string }; gives: { port?: number } };
  configure: { takes: ListenerSettings; gives: null };
  /** Listens on a port; on the one that it has where that is meant. 0 is any. */
  listen: { takes: { port: number }; gives: { port: number } };
  /** Stops listening, for all windows, and ends the program; what was acknowledged stays. */
  stop: { takes: null; gives: null };
  /**
   * Opens the tunnel; gives the one that is open or opens already, whoever asked for it. Rejects where the program does
   * not listen or no secret is held. `command` is the path of the tunnel's program.
   */
  openTunnel: { takes: { program: TunnelProgram; command: string }; gives: { publicUrl: string } };
  /** For all windows; ends an opening too. */
  closeTunnel: { takes: null; gives: null };
  /** Newest first. */
  list: { takes: { limit?: number }; gives: Delivery[] };
  /** What the view shows. A later search of the same window ends one that is under way, which gives what it has. */
  find: { takes: { filter: DeliveryFilter; limit: number }; gives: FoundDeliveries };
  /** Without bodies, which stay in the store. `before`: those alone that came before this delivery. */
  page: { takes: { filter: DeliveryFilter; limit: number; before?: string }; gives: ToldPage };
  get: { takes: { id: string }; gives: Delivery };
  clear: { takes: null; gives: null };
  /** Kept as an attempt, unless it goes to the listener itself, where it arrives as a delivery of its own. */
  replay: { takes: { id: string; to: string; resign: boolean; edit?: DeliveryEdit }; gives: Answer };
  /** What the local app answered to the attempt of that time; null where that is not kept. */
  answer: { takes: { id: string; at: string }; gives: AppAnswer | null };
  /**
   * The ids of those whose outcome came or changed after a revision, and is one to look at; and which revision it is now.
   * Without one there are none.
   */
  needLook: { takes: { after?: number }; gives: { ids: string[]; revision: number } };
  /** The ids of what was not taken with the last attempt, the oldest first. */
  refused: { takes: null; gives: string[] };
  /** Breaks off the replays of this window that are under way: each of them rejects. */
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
};

/** What has happened since a window was told last. */
export interface News {
  /** In the order of their last change. */
  upserts: Upsert[];
  /** Up to where the window is told with this. */
  revision: number;
  refused: Refused[];
  brokenOff: BrokenOff[];
  /** How many more were refused or broke off, of which no more is told: there are too many. */
  untold: number;
}

/** Why a program ends that was not killed. */
export type EndReason = 'stopped' | 'replaced' | 'notWanted';

/** What the listener program tells a window; it waits for the reply, whatever that is, before it tells more. */
export type WindowCalls = {
  news: { takes: News; gives: unknown };
  state: { takes: ProgramState; gives: unknown };
  /** Where the tunnel stands, at each change. */
  tunnel: { takes: TunnelState; gives: unknown };
  /** All deliveries were removed. */
  cleared: { takes: null; gives: unknown };
  /** Its last word. */
  ending: { takes: { why: EndReason }; gives: unknown };
};
