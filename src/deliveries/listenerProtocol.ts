import type { Delivery, FailedAt, Verdict, WholeDelivery } from '../contract/delivery.ts';
import type { DeliveryEdit } from '../contract/deliveryEdit.ts';
import type { DeliveryFilter } from './deliveryFilter.ts';
import type { Routing } from './routes/routes.ts';
import type { NetworkOptions } from '../service/client/undiciTransport.ts';
import type { RelayLosses } from './relayProtocol.ts';
import type { HeldSecret } from '../service/signature/webhookSecret.ts';

export type ForwardMode = 'afterAck' | 'passThrough';

/** The settings of the listener. Sent as a whole whenever any of them changes. */
export interface ListenerSettings extends Routing {
  /**
   * In the order in which they are tried. Secrets that no longer verify are included, so that a diagnosis can name
   * them. They reach the program only by message.
   */
  secrets: readonly HeldSecret[];
  /** How far a timestamp may be off the clock, in seconds; 0 disables the check. */
  toleranceSeconds: number;
  acceptUnverified: boolean;
  /** Whether it can be reached from outside. Then nothing unsigned is accepted, even while no secret is held. */
  isPublic: boolean;
  /** Its address from outside, if known. */
  publicUrl?: string;
  maxBodyBytes: number;
  forwardMode: ForwardMode;
  /** Whether any certificate of a local app counts where the connection stays on this machine. */
  acceptLocalCertificates?: boolean;
  /** How many deliveries are kept. */
  keep: number;
  /** How long the program keeps running without a window, in seconds; 0 ends it with the last window. */
  keepAliveSeconds: number;
}

/** The next answers of the listener, for testing the sender: a status, no answer, or a closed connection. */
export interface NextResponses {
  response: number | 'hang' | 'drop';
  times: number;
}

/** A run that deliveries may belong to, as far as it is known. It is noted again when more is known. */
export interface NotedRun {
  /** Runhook's own id of the run. */
  id: string;
  /** The service's id of the run, if it is known. */
  runId?: string;
  appName: string;
  /** Unix milliseconds. */
  startedAt: number;
  /** What is known of its answer, if its delivery comes to this listener; absent where nothing more is. */
  answer?:
    | { kind: 'awaited' }
    /** It got no answer, or not all of it. */
    | { kind: 'missing' }
    /** The fingerprint tells by which delivery it is contained; absent if it is too short for one. */
    | { kind: 'given'; fingerprint?: string };
}

/** What a window can have stopped while it is sent. */
interface Stoppable {
  /** The window's own id of it: several may be under way. */
  sending: string;
}

/** A run whose delivery is to be made here, from its response. */
export interface ToDeliverHere {
  /** Runhook's own id of the run. */
  run: string;
  /** The service's id of the run, if it is known. */
  runId?: string;
  appName: string;
  /** The body of the response, in base64. */
  body: string;
  secret: string;
}

/** The delivery that was made here, and how the listener answered each attempt to deliver it. */
export interface MadeDelivery {
  id: string;
  attempts: { status?: number; error?: string }[];
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

/** The answer to a replayed delivery. */
export interface Answer extends Sent {
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The first 64 KB if they are text, else empty. */
  body: string;
}

/** The local app's answer to an attempt, unchanged. */
export interface AppAnswer {
  /** Names and values in turn. */
  rawHeaders: readonly string[];
  /** The first 64 KB: text, or base64 if they are not text. */
  body: string;
  bodyEncoding?: 'base64';
  /** The full length of the body, in bytes; absent if it did not end. */
  bytes?: number;
}

/** A request that was rejected before it could become a delivery. */
export interface Refused {
  at: string;
  status: 400 | 403 | 405 | 413 | 417 | 431;
  /** Empty if it could not be read. */
  method: string;
  reason: string;
  /** Of a 413: how many bytes of a body are taken at most. */
  mostBytes?: number;
  /** Of a 413: the run that its beginning names. Not verified: anybody may have written it. */
  runId?: string;
}

/** A request that broke off before its body was complete. It got no answer, so that the service may retry it. */
export interface BrokenOff {
  at: string;
  /** How many bytes of its body arrived. */
  bytes: number;
  /** How many bytes the sender had announced; absent if it had not announced any. */
  announced?: number;
  /** The listener closed it because nothing more of it arrived for too long. */
  wasLate?: true;
  /** The run that it names, if that part arrived. Not verified: anybody may have written it. */
  runId?: string;
}

/** A request that would have been a delivery, had all of it come. */
export type UnkeptRequest = BrokenOff | Refused;

/** Whether a request would have been a delivery: it broke off, or its body was too large. */
export function isUnkept(one: BrokenOff | Refused): boolean {
  return 'bytes' in one || one.status === 413;
}

/** The newest of the kept deliveries that match a filter. */
export interface DeliveryPage {
  /** Newest first. */
  deliveries: Delivery[];
  /** Whether more of the kept deliveries match. */
  hasMore: boolean;
}

/** The result of a search. */
export interface FoundDeliveries extends DeliveryPage {
  /** How many of the `kept` deliveries match. */
  hits: number;
  /** Whether `hits` counts all of them: counting may take too long. */
  hasAllHits: boolean;
  kept: number;
  /** Some of the known apps, sorted. */
  apps: string[];
}

/**
 * The largest body that the listener may be set to accept, in bytes. All that is done with a body can be done with one
 * of this size: it fits into the store several times, and its text into a string.
 */
export const mostBodyBytes = 64 * 1024 * 1024;

/** The version of the protocol below. Programs and windows of different versions do not talk to each other. */
export const protocolVersion = 16;

/** The first message of a window, by which it identifies itself. */
export interface Hello {
  /** The key in the control file. */
  key: string;
  /** The last revision that this window was told of; undefined if there is none. */
  after?: number;
  settings: ListenerSettings;
  /** The translated messages, as `vscode.l10n.bundle` has them. */
  messages: Record<string, string>;
}

/** The state of the program. */
export interface ProgramState {
  /** Undefined if it is not listening. */
  port?: number;
  /** Why deliveries cannot be stored, in words or as a system error code; undefined while they can. */
  problem?: string;
}

/** How many deliveries have arrived since the program started. */
export interface Arrivals {
  total: number;
}

export interface Welcome extends ProgramState, Arrivals {
  pid: number;
  /** Unix milliseconds. */
  startedAt: number;
  /** How many deliveries arrived while no window was connected. */
  missed: number;
  /** The revision of the store, if it can be read: a window without any from before is told what comes after it. */
  revision: number | undefined;
  tunnel: TunnelState;
}

/** The requests of a window to the listener program. */
export interface ProgramCalls {
  /** Rejects if the key is not that of the program; the connection then ends. */
  hello(hello: Hello): Welcome;
  /** Ends the program at once, for one of another version that waits to replace it; returns the port that it had. */
  handOver(shown: { key: string }): { port?: number };
  /** Answered at once: tells a program that is still at work from one that stands still. */
  ping(): void;
  configure(settings: ListenerSettings): void;
  /** Listens on a port, which may be the one that it already listens on. 0 is any. */
  listen(at: { port: number }): { port: number };
  /** Stops listening, for all windows, and ends the program; acknowledged deliveries are kept. */
  stop(): void;
  /** The same, and removes all deliveries. */
  erase(): void;
  /**
   * Opens the tunnel, or returns the one that is already open or opening, whoever asked for it. Rejects if the
   * program is not listening or no secret is held. `command` is the path of the tunnel's program.
   */
  openTunnel(by: { program: TunnelProgram; command: string }): { publicUrl: string };
  /**
   * Reads deliveries from a relay, in place of a tunnel. Rejects if no secret is held, or the relay cannot be used.
   * @param keepsTrying whether a relay that is away is tried again from the first time on
   */
  openRelay(by: RelayAccess & { network: NetworkOptions; keepsTrying: boolean }): OpenedRelay;
  /** Closes the tunnel for all windows, even while it is opening. */
  closeTunnel(): void;
  /** Newest first. */
  list(which: { limit?: number }): WholeDelivery[];
  /** The search of the view, and the last requests that broke off or were too large, the newest last. A later search of the same window ends one in progress, which returns what it has. */
  find(asked: { filter: DeliveryFilter; limit: number }): FoundDeliveries & { unkept: UnkeptRequest[] };
  /** `before`: only deliveries that arrived before this one. */
  page(asked: { filter: DeliveryFilter; limit: number; before?: string }): DeliveryPage;
  get(which: { id: string }): Delivery;
  /** The same with its body. */
  whole(which: { id: string }): WholeDelivery;
  clear(): void;
  /** Stored as an attempt, unless it goes to the listener itself, where it arrives as a new delivery. */
  replay(
    what: Stoppable & {
      id: string;
      to: string;
      resign: boolean;
      edit?: DeliveryEdit;
      /** How long the response may take; without it, as long as it takes. */
      limitMs?: number | undefined;
    },
  ): Answer;
  /** The local app's answer to the attempt made at that time; null if it is not kept. */
  answer(attempt: { id: string; at: string }): AppAnswer | null;
  /** The ids of the deliveries that failed in the handler the last time, oldest first. */
  failed(): string[];
  /** Cancels what this window replays or makes here by that id: it rejects. Does nothing once that has ended. */
  stopSending(which: Stoppable): void;
  sendTest(what: { to: string; body: string; secret?: string }): Sent;
  deliverHere(what: Stoppable & ToDeliverHere): MadeDelivery;
  setNextResponses(next: NextResponses): void;
  /** Links a run to its deliveries, and gives those that name it and have come before, the oldest first. */
  noteRun(run: NotedRun): Delivery[];
  /** Sets why a delivery did not verify, where a window has found out more than the program did in passing. */
  noteReason(of: { id: string; reason: string }): void;
  /** Sets where the handler failed at the attempt of that time. */
  noteFailure(of: { id: string; at: string; failedAt: FailedAt }): void;
  /** A probe that contains this nonce is not a delivery. */
  expectProbe(probe: { nonce: string }): void;
  /**
   * Returns the probe, or null if it has not arrived, and stops expecting it.
   * @param probe.isSent whether one that goes by a relay may still come: it is waited for
   */
  collectProbe(probe: { nonce: string; isSent: boolean }): ReceivedProbe | null;
}

/** What has happened since the last news to a window. */
export interface News {
  /** The deliveries of which the window is told for the first time, in the order of their last change. */
  arrived: Delivery[];
  /** Others that have changed, each as it is now, in the same order. */
  changed: Delivery[];
  /** The revision up to which the window is now told. */
  revision: number;
  refused: Refused[];
  brokenOff: BrokenOff[];
  /** How many more were refused or broke off but are not listed here: there are too many. */
  overflow: number;
}

/** Why a program ends, unless it is killed. */
export type EndReason = 'stopped' | 'replaced' | 'notWanted';

/** The requests of the listener program to a window. It waits for each reply, whatever that is, before the next. */
export interface WindowCalls {
  news(news: News & Arrivals): void;
  state(state: ProgramState): void;
  /** The state of the tunnel, sent at each change. */
  tunnel(state: TunnelState): void;
  /** What the relay has lost while nobody read it. */
  relayLost(losses: RelayLosses): void;
  /** All deliveries were removed, maybe while the window was away. */
  cleared(): void;
  /** The last message of the program. */
  ending(end: { why: EndReason }): void;
}

export const tunnelPrograms = ['cloudflared', 'ngrok'] as const;
export type TunnelProgram = (typeof tunnelPrograms)[number];

/** What makes the listener public: a program, the codespace that Runhook runs in, or a relay of the team. */
export type TunnelProvider = TunnelProgram | 'codespaces' | 'relay';

/** What opens a relay's address for this listener. Both the key and the token reach the program only by message. */
export interface RelayAccess {
  /** The address of the relay. */
  url: string;
  /** Whoever shows it owns the address: 256 bits. */
  key: string;
  /** The token of the relay's team, where it has one. */
  joinToken?: string;
}

/** A relay that is open, or a sentence that asks for the token of its team. */
export type OpenedRelay = { publicUrl: string } | { needsToken: string };

/** The state of the tunnel. */
export type TunnelState =
  | { kind: 'closed' }
  | { kind: 'opening'; provider: TunnelProvider }
  | { kind: 'open'; provider: TunnelProvider; publicUrl: string }
  /**
   * The program died and is being restarted, or the relay cannot be reached; `attempt` counts from 1. What is posted to the
   * address of a relay meanwhile waits there.
   */
  | { kind: 'reopening'; provider: TunnelProvider; attempt: number; reason: string; publicUrl?: string }
  | { kind: 'failed'; provider: TunnelProvider; reason: string };

/** Where a tunnel in that state leads to the listener from; undefined if it does not. */
export function publicUrlOf(state: TunnelState): string | undefined {
  return 'publicUrl' in state ? state.publicUrl : undefined;
}

/**
 * Why a tunnel that was there is gone for good; undefined if it is not, or was closed. Whoever asked for one is told that it
 * never opened.
 */
export function reasonOfEnd(before: TunnelState, now: TunnelState): string | undefined {
  const wasThere = before.kind === 'open' || before.kind === 'reopening';
  return wasThere && now.kind === 'failed' ? now.reason : undefined;
}

/** Whether there is a tunnel, even if it lets nobody through at the moment. */
export function isTunnelThere({ kind }: TunnelState): boolean {
  return kind !== 'closed' && kind !== 'failed';
}
