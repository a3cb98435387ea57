/** Keeps this process busy for so many milliseconds: nothing else of it runs meanwhile. */
export function standStill(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
