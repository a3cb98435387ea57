import assert from 'node:assert/strict';

/** Less is not measured: the system counts in steps of some milliseconds. In microseconds. */
const leastTime = 20_000;

/**
 * Fails where work on four times as much takes more than ten times as long: what takes the square would take
 * sixteen times. It counts this thread's own time on the processor, whatever else the machine does; and what
 * comes between, such as the collector of garbage, does not come between every time.
 */
export function assertLinear(size: number, work: (size: number) => void): void {
  const growth: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    let rounds = 1;
    let before = processorTime(rounds, () => work(size));
    while (before < leastTime) {
      rounds *= 4;
      before = processorTime(rounds, () => work(size));
    }
    growth.push(processorTime(rounds, () => work(4 * size)) / before);
    if (growth.at(-1)! < 10) return;
  }
  assert.fail(
    `Four times as much takes ${growth.map((times) => times.toFixed(1)).join(', ')} times as long.`,
  );
}

/** How long work takes, done so many times. In microseconds. */
function processorTime(rounds: number, work: () => void): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}
