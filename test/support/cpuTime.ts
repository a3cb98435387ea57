/** Milliseconds of this thread on the processor, which other work beside it does not change. */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return millisecondsOf(process.threadCpuUsage(before));
}

export function millisecondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
