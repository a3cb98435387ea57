/** What verification said of a delivery. The words are those of the public contract. */
export const verdicts = ['verified', 'unsigned', 'mismatch', 'stale', 'malformed', 'no-secret'] as const;
export type Verdict = (typeof verdicts)[number];

/** How a delivery got to an address: as it arrived, or sent again later, as it came, with a new signature, or edited. */
export const attemptKinds = ['forward', 'replay', 'signedAnew', 'edited'] as const;
export type AttemptKind = (typeof attemptKinds)[number];

/** What an attempt has for an error where Runhook itself ended it. `missingAnswerText` says it in the user's language. */
export const attemptErrors = {
  listenerEnded: 'the listener ended before your app answered',
  toListener: 'this address is that of the listener itself',
} as const;

/** So many attempts of a delivery are given, the last ones. */
export const mostAttempts = 20;

/** So many deliveries are counted as ones to look at. */
export const mostToLookAt = 1000;

/** How handing a delivery over went. */
export interface Forward {
  /** The address it was sent to. */
  to: string;
  /** What the local app answered; absent when it did not. */
  status?: number;
  durationMs: number;
  /** The start of what it answered; absent where that was nothing, or no text. */
  answer?: string;
  /** Why there was no answer. */
  error?: string;
}

/** The same as it is kept, with when it had ended. */
export interface Attempt extends Forward {
  /** ISO 8601, UTC, with milliseconds. */
  at: string;
  kind: AttemptKind;
}

/** One webhook request that arrived, as `runhook.listDeliveries` and the API give it. */
export interface Delivery {
  id: string;
  /** ISO 8601, UTC, with milliseconds. */
  receivedAt: string;
  /** The `X-Request-Id` header. */
  requestId?: string;
  /** When the service says that it sent it (the timestamp header), ISO 8601. */
  sentAt?: string;
  verdict: Verdict;
  /** Why the verdict is not `verified`, or which older secret verified it: a sentence for the user. */
  reason?: string;
  /** `run_id` of the body, where it has one. */
  runId?: string;
  appName?: string;
  method: string;
  /** The request target, query included. */
  path: string;
  /** As received: names in lower case, repeated headers joined as Node joins them. */
  headers: Record<string, string>;
  /** Text where the body is UTF-8, else base64. */
  body: string;
  bodyEncoding?: 'base64';
  /** The size of the body in bytes. */
  bytes: number;
  /** The status that the listener answered; 0 where it gave no answer, or none yet. */
  answered: number;
  /** The id of the first delivery with this request id and body. */
  repeatOf?: string;
  /** The last of the attempts. */
  forward?: Forward | Attempt;
  /** Each time that it was handed over, the oldest first; absent where it never was. */
  attempts?: Attempt[];
}

/** A delivery without what takes room: a list holds many of them, and bodies may be large. */
export type DeliverySummary = Omit<Delivery, 'body' | 'bodyEncoding' | 'headers'>;

export function summarise(delivery: Delivery): DeliverySummary {
  const summary: DeliverySummary & Partial<Delivery> = { ...delivery };
  delete summary.body;
  delete summary.bodyEncoding;
  delete summary.headers;
  return summary;
}
