/** The processor time that work takes in this thread. Unlike elapsed time, it does not depend on the machine's load. */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return cpuUsageMs(process.threadCpuUsage(before));
}

export function cpuUsageMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}
