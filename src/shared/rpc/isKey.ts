import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether what was given is the key: compared in constant time, whatever was given. */
export function isKey(given: unknown, key: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(key));
}
