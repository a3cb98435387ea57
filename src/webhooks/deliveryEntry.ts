import { headerOf } from './rawHeaders.ts';
import type { KeptDelivery, Note } from './record.ts';
import type { Place } from './segment.ts';

/** What is held of a delivery in memory; the rest lies in the journal. */
export interface DeliveryEntry {
  readonly id: string;
  readonly receivedAt: number;
  readonly requestId: string | undefined;
  readonly repeatOf: string | undefined;
  readonly isVerified: boolean;
  /** The size of the body. */
  readonly bytes: number;
  /** Where it lies, once it does. */
  place?: Place;
  /** The delivery itself, until it is on the disk and told of. */
  kept?: KeptDelivery;
  /** Whether the host was told that it came: before that it is not let go of. */
  told: boolean;
  note: Omit<Note, 'id'>;
  /** The 2xx that the local app gave to it or to one of its repeats. */
  taken?: number;
  /** What is found out after the answer: the run that the body names, if any, and why it did not verify. */
  settled?: { runId: string | undefined };
}

export function entryOf(delivery: KeptDelivery, told: boolean): DeliveryEntry {
  const { id, receivedAt, rawHeaders, repeatOf, verdict, body } = delivery;
  const requestId = headerOf(rawHeaders, 'x-request-id');
  const isVerified = verdict === 'verified';
  return { id, receivedAt, requestId, repeatOf, isVerified, bytes: body.length, told, note: {} };
}
