/** Blocks this thread with a busy loop. */
export function blockThread(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
