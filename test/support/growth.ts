import assert from 'node:assert/strict';

/**
 * Fails where work on four times as much takes more than ten times as long: what takes the square would take
 * sixteen times. It counts this thread's own time on the processor, whatever else the machine does; and what
 * comes between, such as the collector of garbage, does not come between every time.
 */
export function assertLinear(size: number, work: (size: number) => void): void {
  const growth: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = processorTime(() => work(size));
    growth.push(processorTime(() => work(4 * size)) / before);
    if (growth.at(-1)! < 10) return;
  }
  assert.fail(
    `Four times as much takes ${growth.map((times) => times.toFixed(1)).join(', ')} times as long.`,
  );
}

/** In microseconds, one at least. */
function processorTime(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, user + system);
}
