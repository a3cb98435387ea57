import { randomBytes } from 'node:crypto';

/** Makes delivery ids. A random prefix per program keeps them unique, although each program counts from 1. */
export function deliveryIds(): () => string {
  const session = randomBytes(4).toString('hex');
  let count = 0;
  return () => `${session}-${(count += 1)}`;
}
