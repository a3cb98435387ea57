import { createHash } from 'node:crypto';

/** By what a repeat is recognised. It holds no byte of the delivery, so it may stay when that is cleared. */
export function repeatHash(requestId: string, body: Uint8Array): Buffer {
  // The length says where the id ends. Header text is one character a byte.
  return createHash('sha256').update(`${requestId.length}.${requestId}`, 'latin1').update(body).digest();
}

/** By what the path of a delivery is recognised, without a byte of it. */
export function pathHash(path: string): Buffer {
  return createHash('sha256').update(path).digest();
}
