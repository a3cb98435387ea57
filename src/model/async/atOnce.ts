/**
 * Calls `work` a number of times, at most `most` of them at once. Starts no more calls once the signal is aborted.
 * Resolves when all started calls have ended.
 * @param work is called with the number of the call, from 1; it does not reject
 */
export async function atOnce(
  times: number,
  most: number,
  signal: AbortSignal,
  work: (number: number) => Promise<void>,
): Promise<void> {
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun < times && !signal.aborted) {
      begun += 1;
      await work(begun);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, times) }, worker));
}
