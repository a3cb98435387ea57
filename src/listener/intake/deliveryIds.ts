import { randomBytes } from 'node:crypto';

/** Ids of two programs never meet, though both count from one. */
export function deliveryIds(): () => string {
  const session = randomBytes(4).toString('hex');
  let count = 0;
  return () => `${session}-${(count += 1)}`;
}
