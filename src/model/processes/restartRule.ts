/** How often a program that dies is started again, and within what time, in milliseconds. */
const most = 5;
const withinMs = 60_000;

/**
 * Says whether what has died is started again now, and counts it if so: one that dies at once would keep the machine busy.
 * @param now a clock in milliseconds that only goes forward
 */
export function restartRule(now: () => number): () => boolean {
  let starts: number[] = [];
  return () => {
    starts = starts.filter((at) => now() - at < withinMs);
    if (starts.length >= most) return false;
    starts.push(now());
    return true;
  };
}
