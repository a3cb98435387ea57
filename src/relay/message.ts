import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { type RelayedDelivery, relayedSchema } from '../deliveries/relayProtocol.ts';
import { readSignature } from '../service/signature/signature.ts';

/** A post as the engine keeps it: a line of JSON, then the body as it came. */
export type TakenPost = Omit<RelayedDelivery, 'seq' | 'body'> & { body: Uint8Array };

const headSchema = v.omit(relayedSchema, ['seq', 'body']);

export function writeMessage({ body, ...head }: TakenPost): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]);
}

/** @throws Error if no relay has written it */
export function readMessage(message: Uint8Array): Omit<RelayedDelivery, 'seq'> {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = bytes.indexOf('\n');
  const head = v.parse(headSchema, JSON.parse(bytes.toString('utf8', 0, end)));
  return { ...head, body: bytes.toString('base64', end + 1) };
}

/**
 * The id by which the engine knows a post that the service repeats, since it got no answer. What is signed has a
 * request id, and no two requests are alike in all that is signed. Others may well be alike: each is its own.
 */
export function idOf({ method, path, rawHeaders, body }: TakenPost): string {
  const signature = readSignature(rawHeaders);
  if (signature.kind !== 'signed') return crypto.randomUUID();
  const parts = [method, path, signature.requestId, signature.timestamp, signature.signature];
  return createHash('sha256').update(JSON.stringify(parts)).update(body).digest('base64url');
}
