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
