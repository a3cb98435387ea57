/** How often a program that dies is restarted, and within what time, in milliseconds. */
const maxStarts = 5;
const withinMs = 60_000;

/**
 * Returns a function that says whether to restart a program that died, and if so counts the restart. The limit is
 * for programs that die at once, which would keep the machine busy.
 * @param now a monotonic clock in milliseconds
 */
export function restartRule(now: () => number): () => boolean {
  let starts: number[] = [];
  return () => {
    starts = starts.filter((at) => now() - at < withinMs);
    if (starts.length >= maxStarts) return false;
    starts.push(now());
    return true;
  };
}
