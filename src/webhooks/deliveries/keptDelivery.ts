import { isUtf8 } from 'node:buffer';
import type { Attempt, Delivery, Verdict } from '../../model/deliveries/delivery.ts';
import { headersOf } from '../signature/rawHeaders.ts';
import type { Answered } from './sendRequest.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';

/**
 * Whether a delivery verified, was accepted without, or was refused. What is refused never displaces the others
 * in the store.
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
  reason?: string;
  method: string;
  path: string;
  /** As its path says, which anybody can write. What the run says counts before. */
  appName?: string;
  /** Names and values in turn, one character a byte, as Node's `rawHeaders`. */
  rawHeaders: readonly string[];
  body: Uint8Array;
}

/** A delivery that comes in. */
export interface NewDelivery extends KeptDelivery {
  /** Where it waits to be forwarded to, until a {@link Note} says what became of that; absent where it is not forwarded. */
  forwardTo?: string;
}

/** The answer to an attempt, as the store keeps it. */
export type KeptAnswer = Pick<Answered, 'rawHeaders' | 'body' | 'bytes'>;

/** What became known of a delivery after it was answered. */
export interface Note {
  id: string;
  /** It was handed over just now. */
  attempt?: Omit<Attempt, 'at'>;
  /** What came back for that. */
  answer?: KeptAnswer;
  /** It is not forwarded: the local app took one that it repeats. */
  wasTaken?: true;
  appName?: string;
  /** The status of the local app, in the mode `passThrough`; it stays 0 where there was none. */
  answered?: number;
}

/** What the store adds to a delivery as it reads it. */
export interface Known {
  runId?: string;
  appName?: string;
  /** The last ones, the oldest first. */
  attempts?: Attempt[];
}

/** The delivery as the public contract gives it. */
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

/** When the service says that it sent it: the timestamp header of whatever vendor, in Unix seconds. */
function sentAtOf(headers: Readonly<Record<string, string>>): string | undefined {
  const name = Object.keys(headers).find((one) => /^x-.+-webhook-timestamp$/.test(one));
  const milliseconds = Number(headers[name ?? ''] || Number.NaN) * 1000;
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const notKeptCode = 'NOT_KEPT';

/** What is said of a delivery that is not kept. */
export function notKept(id: string): UserError {
  return Object.assign(new UserError(t('There is no delivery {0}.', id)), { code: notKeptCode });
}

/** Whether an error says that, and not that nobody could look. */
export function saysNotKept(error: unknown): boolean {
  return error instanceof UserError && 'code' in error && error.code === notKeptCode;
}
