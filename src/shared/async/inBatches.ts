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

/** How many run at a time: files are read from a disk that others use too. */
const atOnce = 8;

/** Runs an action for each item, a few at a time. The results are in the order of the items. */
export async function inParallel<T, R>(all: readonly T[], action: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < all.length) {
      const at = next;
      next += 1;
      results[at] = await action(all[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, work));
  return results;
}
