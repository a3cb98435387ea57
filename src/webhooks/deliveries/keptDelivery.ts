import { isUtf8 } from 'node:buffer';
import type { Attempt, Delivery, Verdict } from '../../model/deliveries/delivery.ts';
import { headersOf, timestampNameOf } from '../signature/signature.ts';
import type { Answered } from './sendRequest.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';

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
  /** Taken from the path, which anybody can write. The app name of the run takes precedence. */
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

/** What the store adds to a delivery as it reads it. */
export interface Known {
  runId?: string;
  appName?: string;
  /** The latest attempts, oldest first. */
  attempts?: Attempt[];
}

/** Converts a kept delivery to the shape of the public contract. */
export function toDelivery(kept: KeptDelivery, { runId, appName, attempts = [] }: Known): Delivery {
  const headers = headersOf(kept.rawHeaders);
  const requestId = headers['x-request-id'];
  const sentAt = sentAtOf(headers);
  const isText = isUtf8(kept.body);
  const forward = attempts.at(-1);
  const body = Buffer.from(kept.body.buffer, kept.body.byteOffset, kept.body.byteLength);
  return {
    id: kept.id,
    receivedAt: new Date(kept.receivedAt).toISOString(),
    ...(requestId !== undefined && { requestId }),
    ...(sentAt !== undefined && { sentAt }),
    verdict: kept.verdict,
    ...(kept.reason !== undefined && { reason: kept.reason }),
    ...(runId !== undefined && { runId }),
    ...(appName !== undefined && { appName }),
    method: kept.method,
    path: kept.path,
    headers,
    body: body.toString(isText ? 'utf8' : 'base64'),
    ...(!isText && { bodyEncoding: 'base64' as const }),
    bytes: body.length,
    answered: kept.answered,
    ...(kept.repeatOf !== undefined && { repeatOf: kept.repeatOf }),
    ...(forward !== undefined && { forward, attempts }),
  };
}

/** When the service says that it sent the delivery, ISO 8601: by the header of {@link timestampNameOf}. */
function sentAtOf(headers: Readonly<Record<string, string>>): string | undefined {
  const milliseconds = Number(headers[timestampNameOf(headers) ?? ''] || Number.NaN) * 1000;
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
