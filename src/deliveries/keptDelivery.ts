import { isUtf8 } from 'node:buffer';
import {
  attemptErrors,
  editedKinds,
  type Attempt,
  type Delivery,
  type FailedAt,
  mostAttempts,
  type Verdict,
  type WholeDelivery,
} from '../contract/delivery.ts';
import { headersOf, readSignature, timestampNameOf } from '../service/signature/signature.ts';
import type { Answered } from './sendRequest.ts';
import { t } from '../shared/text/l10n.ts';
import { UserError } from '../shared/text/userError.ts';

/**
 * Whether a delivery verified, was accepted without verifying, or was refused. Refused deliveries never displace the
 * others in the store.
 */
export type Standing = 'verified' | 'accepted' | 'refused';

/** A delivery as the store keeps it, with its headers and its body exactly as they came. */
export interface KeptDelivery {
  id: string;
  /** Unix milliseconds. */
  receivedAt: number;
  /** How long it waited at a relay before, in milliseconds; absent where it came by itself. */
  waitedMs?: number;
  verdict: Verdict;
  standing: Standing;
  answered: number;
  /** The id of the first delivery with this request id and body, both verified. */
  repeatOf?: string;
  /** The path of that one, where it is another: a path is not signed, so a repeat goes where the first went. */
  firstPath?: string;
  reason?: string;
  method: string;
  path: string;
  /** Runhook's own id of the run from whose response it was made here; absent where it was not. */
  madeOf?: string;
  /** Of the run that it names, where that is known; else from the path, which anybody can write. */
  appName?: string;
  /** Names and values in turn, one character a byte, as Node's `rawHeaders`. */
  rawHeaders: readonly string[];
  body: Uint8Array;
}

/** A delivery that has just arrived. */
export interface NewDelivery extends KeptDelivery {
  /** Where to forward it, pending until a {@link Note} records the outcome; absent if it is not forwarded. */
  forwardTo?: string;
  /** By what a repeat of it is recognised, and until when, in Unix milliseconds; absent if it did not verify. */
  recognised?: { hash: Uint8Array; until: number };
  /** Its place at the relay that it came from. */
  relayed?: RelayPlace;
}

/** What names a delivery of a relay for good: engines that are set up anew count from 1 again. */
export interface RelayPlace {
  channel: string;
  seq: number;
  /** When the relay took it, in Unix milliseconds. */
  at: number;
}

/** The answer to an attempt, as the store keeps it. */
export type KeptAnswer = Pick<Answered, 'rawHeaders' | 'body' | 'bytes'>;

/** What becomes known about a delivery after it was answered. */
export interface Note {
  id: string;
  /** The id of the delivery that it repeats, else its own. */
  first?: string;
  /** A forward or replay that has just ended. */
  attempt?: Omit<Attempt, 'at'>;
  /** The answer to that attempt. */
  answer?: KeptAnswer;
  /** Where the handler failed at an attempt that was noted before, that of this time. */
  failure?: { at: string; failedAt: FailedAt };
  /** Not forwarded, since it repeats a delivery that the local app has taken. */
  wasTaken?: true;
  appName?: string;
  /** The run that it belongs to, where its own body names none. */
  runId?: string;
  /** Why it did not verify, found out by a closer look. */
  reason?: string;
  /** The status of the local app, in the mode `passThrough`; stays 0 if there was none. */
  answered?: number;
}

/** What is known of a delivery besides how it came. */
export interface Known {
  /** The size of its body. */
  bytes: number;
  runId?: string;
  appName?: string;
  /** When its run was started, in Unix milliseconds. */
  runStartedAt?: number;
  /** The latest attempts, oldest first. */
  attempts?: Attempt[];
  wasTaken?: true;
}

/** A kept delivery as windows are told of it. */
export function toDelivery(kept: Omit<KeptDelivery, 'body'>, known: Known): Delivery {
  const { id, receivedAt, waitedMs, verdict, reason, method, path, answered, repeatOf, madeOf } = kept;
  const { bytes, runId, appName, runStartedAt, attempts = [], wasTaken } = known;
  const headers = headersOf(kept.rawHeaders);
  const requestId = headers['x-request-id'];
  const sentAt = sentAtOf(kept.rawHeaders, headers);
  return {
    id,
    receivedAt: new Date(receivedAt).toISOString(),
    ...(waitedMs !== undefined && { waitedMs }),
    ...(requestId !== undefined && { requestId }),
    ...(sentAt !== undefined && { sentAt }),
    verdict,
    ...(reason !== undefined && { reason }),
    ...(runId !== undefined && { runId }),
    ...(appName !== undefined && { appName }),
    method,
    path,
    headers,
    bytes,
    answered,
    ...(repeatOf !== undefined && { repeatOf }),
    ...withAttempts(attempts),
    ...(runStartedAt !== undefined && { sinceRunMs: sinceRun(receivedAt, runStartedAt) }),
    ...(wasTaken && { wasTaken }),
    ...(madeOf !== undefined && { madeHere: true as const, joinedRun: madeOf }),
  };
}

/**
 * A delivery with what has become known of it.
 * @param when the times at which its attempt ended and its run was started, in Unix milliseconds
 */
export function noted(
  delivery: Delivery,
  note: Omit<Note, 'id'>,
  { at = 0, runStartedAt }: { at?: number; runStartedAt?: number },
): Delivery {
  const { attempt, answered, appName, reason, runId, wasTaken, failure } = note;
  const changed = {
    ...delivery,
    ...(answered !== undefined && { answered }),
    ...(appName !== undefined && { appName }),
    ...(reason !== undefined && { reason }),
    ...(delivery.runId === undefined && runId !== undefined && { runId }),
    ...(wasTaken && { wasTaken }),
    ...(runStartedAt !== undefined && {
      sinceRunMs: sinceRun(Date.parse(delivery.receivedAt), runStartedAt),
    }),
  };
  if (failure !== undefined) return withFailure(changed, failure);
  if (attempt === undefined) return changed;
  const last: Attempt = { at: new Date(at).toISOString(), ...attempt };
  const attempts = [...(delivery.attempts ?? []), last].slice(-mostAttempts);
  return { ...changed, ...withAttempts(attempts) };
}

function withFailure(delivery: Delivery, { at, failedAt }: NonNullable<Note['failure']>): Delivery {
  const attempts = delivery.attempts?.map((one) => (one.at === at ? { ...one, failedAt } : one));
  return { ...delivery, ...withAttempts(attempts) };
}

/** When a delivery began to be sent to the handler, in ISO 8601: the one time of the attempt that people read. */
export function attemptStart({ at, durationMs }: Pick<Attempt, 'at' | 'durationMs'>): string {
  return new Date(Date.parse(at) - durationMs).toISOString();
}

export function isEdited({ kind }: Pick<Attempt, 'kind'>): boolean {
  return editedKinds.includes(kind);
}

/** Whether the attempt was broken off here: it says nothing of the handler. */
export function isCancelled({ error }: Pick<Attempt, 'error'>): boolean {
  return error === attemptErrors.cancelled;
}

/** The last attempt that says something of the delivery itself. */
export function lastTelling(attempts: readonly Attempt[]): Attempt | undefined {
  return attempts.findLast((one) => !isEdited(one) && !isCancelled(one));
}

/** The attempt that another is compared with: the one before it that was of the same delivery to the handler. */
export function previousAttempt(attempts: readonly Attempt[], index: number): Attempt | undefined {
  const before = attempts.slice(0, Math.max(index, 0));
  const attempt = attempts[index];
  return attempt !== undefined && isEdited(attempt) ? before.at(-1) : lastTelling(before);
}

/** The attempts, and the last one that says something of the delivery itself. */
function withAttempts(attempts: Attempt[] = []): Pick<Delivery, 'attempts' | 'forward'> {
  const forward = lastTelling(attempts);
  return { ...(attempts.length > 0 && { attempts }), ...(forward && { forward }) };
}

/** The delivery with its body, in the shape of the public contract. */
export function wholeDelivery(delivery: Delivery, body: Uint8Array): WholeDelivery {
  const contract = { ...delivery };
  delete contract.sinceRunMs;
  delete contract.isForwarding;
  delete contract.waitingSince;
  delete contract.wasTaken;
  delete contract.joinedRun;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(body)
    ? { ...contract, body: bytes.toString() }
    : { ...contract, body: bytes.toString('base64'), bodyEncoding: 'base64' };
}

function sinceRun(receivedAt: number, startedAt: number): number {
  return Math.max(0, receivedAt - startedAt);
}

/** When the service says that it sent the delivery, ISO 8601: by the header of {@link timestampNameOf}. */
function sentAtOf(
  rawHeaders: readonly string[],
  headers: Readonly<Record<string, string>>,
): string | undefined {
  const read = readSignature(rawHeaders);
  const seconds = read.kind === 'signed' ? read.timestamp : headers[timestampNameOf(headers) ?? ''];
  const milliseconds = Number(seconds || Number.NaN) * 1000;
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const notKeptCode = 'NOT_KEPT';

/** The error for a delivery that is not kept. */
export function notKept(id: string): UserError {
  return Object.assign(new UserError(t('There is no delivery {0}.', id)), { code: notKeptCode });
}

/** Whether an error is that of {@link notKept}, and not that of a lookup that failed. */
export function saysNotKept(error: unknown): boolean {
  return error instanceof UserError && 'code' in error && error.code === notKeptCode;
}
