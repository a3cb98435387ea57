/** How much is done at a stretch: others use the extension host too. */
const batchSize = 200;

/**
 * Does the same for each, several at a time, and lets others have a turn in between. Keeps their order.
 * @param turn resolves once others had theirs
 */
export async function inBatches<T, R>(
  all: readonly T[],
  action: (one: T) => R | Promise<R>,
  turn = () => new Promise<void>((resolve) => setImmediate(resolve)),
): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += batchSize) {
    if (at > 0) await turn();
    for (const one of await Promise.all(all.slice(at, at + batchSize).map(action))) done.push(one);
  }
  return done;
}
