/**
 * Does a number of things, so many of them at once at most. Nothing is begun any more once the signal is aborted.
 * Resolves when all that was begun has ended.
 * @param work is given the number of each, from 1; it does not reject
 */
export async function atOnce(
  times: number,
  most: number,
  signal: AbortSignal,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let begun = 0;
  const one = async (): Promise<void> => {
    while (begun < times && !signal.aborted) {
      begun += 1;
      await work(begun);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, times) }, one));
}
