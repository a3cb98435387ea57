import type { verdicts } from './values.ts';

/** The result of verifying a delivery. */
export type Verdict = (typeof verdicts)[number];

/**
 * How a delivery was sent to an address: on arrival, or again later: unchanged, with a new signature, edited, or (edited
 * or not) without its signature.
 */
export const attemptKinds = ['forward', 'replay', 'signedAnew', 'edited', 'unsigned'] as const;
export type AttemptKind = (typeof attemptKinds)[number];

/** The kinds that say nothing of the delivery itself: to the handler, what was edited is another one. */
export const editedKinds: readonly AttemptKind[] = ['edited', 'unsigned'];

/** The error of an attempt that Runhook itself ended. `missingAnswerText` puts it into the user's language. */
export const attemptErrors = {
  listenerEnded: 'the listener ended before your app answered',
  toListener: 'this address is that of the listener itself',
  /** The replay was broken off here: it says nothing of the handler. */
  cancelled: 'ECANCELED',
} as const;

/** The maximum number of attempts listed for a delivery, the last ones. */
export const mostAttempts = 20;

/** The result of sending a delivery to an address. */
export interface Forward {
  /** The address it was sent to. */
  to: string;
  /** The status of the local app's answer; absent if there was none. */
  status?: number;
  durationMs: number;
  /** The start of the answer; absent if it was empty or not text. */
  answer?: string;
  /** Why there was no answer. */
  error?: string;
}

/** A forward or replay as it is kept, with the time at which it ended. */
export interface Attempt extends Forward {
  /** ISO 8601, UTC, with milliseconds. */
  at: string;
  kind: AttemptKind;
  /** Where your handler failed; absent if nothing told it. */
  failedAt?: FailedAt;
}

/** A line of your handler, and what it says about its failure. */
export interface FailurePlace {
  /** An absolute path. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1; absent where the runtime does not tell it. */
  column?: number;
  message: string;
}

/** The line at which your handler failed. */
export interface FailedAt extends FailurePlace {
  /** All lines at which it may have failed: several deliveries were under way at once, and nothing tells them apart. */
  oneOf?: FailurePlace[];
}

/** One webhook request that arrived, as lists and windows have it: its body is asked for by its id. */
export interface Delivery {
  id: string;
  /** ISO 8601, UTC, with milliseconds. */
  receivedAt: string;
  /** How long it waited at a relay before, in milliseconds; absent where it came by itself. */
  waitedMs?: number;
  /** The `X-Request-Id` header. */
  requestId?: string;
  /** When the service says that it sent it (the timestamp header), ISO 8601. */
  sentAt?: string;
  verdict: Verdict;
  /** Why the verdict is not `verified`, or which older secret verified it: a sentence for the user. */
  reason?: string;
  /** `run_id` of the body, where it has one, else that of the run that it was joined to. */
  runId?: string;
  appName?: string;
  method: string;
  /** The request target, query included. */
  path: string;
  /** As received: names in lower case, repeated headers joined as Node joins them. */
  headers: Record<string, string>;
  /** The size of the body in bytes. */
  bytes: number;
  /** The status that the listener answered; 0 where it gave no answer, or none yet. */
  answered: number;
  /** The id of the first delivery with this request id and body. */
  repeatOf?: string;
  /** The last attempt to send it as it came, or signed anew: to the handler, an edited one is another delivery. */
  forward?: Forward | Attempt;
  /** The attempts, the oldest first; absent if there was none. */
  attempts?: Attempt[];
  /** Milliseconds since the start of its run, if known. */
  sinceRunMs?: number;
  /** It is in your handler, which has not responded yet. */
  isForwarding?: true;
  /** Since when, if not since it arrived: it was replayed. ISO 8601. */
  waitingSince?: string;
  /** A repeat of a delivery that the local app has accepted before, and so not forwarded again. */
  wasTaken?: true;
  /** Made from a run's response by *Deliver Here*: not sent by the service, though its signature verifies. */
  madeHere?: true;
  /** Runhook's own id of the run that it was joined to, where it does not name that run itself. */
  joinedRun?: string;
}

/** A delivery with its body, as commands and the API give it. */
export interface WholeDelivery extends Omit<
  Delivery,
  'sinceRunMs' | 'isForwarding' | 'waitingSince' | 'wasTaken' | 'joinedRun'
> {
  /** Text where the body is UTF-8, else base64. */
  body: string;
  bodyEncoding?: 'base64';
}
