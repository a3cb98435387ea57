import type { Clock } from '../processes/clock.ts';

/** How a wait ended: the condition holds, the time limit passed, or the signal was aborted. */
export type WaitEnd = 'there' | 'late' | 'aborted';

export interface WaitParts {
  /** Calls back whenever the condition may have come to hold; returns a function that stops this. */
  listen: (look: () => void) => () => void;
  clock: Clock;
  /** The time limit in milliseconds. */
  ms: number;
  signal: AbortSignal;
}

/** Waits until a condition holds; resolves at once if it already does. Never rejects. */
export function waitUntil(
  isThere: () => boolean,
  { listen, clock, ms, signal }: WaitParts,
): Promise<WaitEnd> {
  if (isThere()) return Promise.resolve('there');
  if (signal.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => {
    const end = (how: WaitEnd): void => {
      stopListening();
      stopWaiting();
      signal.removeEventListener('abort', abort);
      resolve(how);
    };
    const abort = (): void => end('aborted');
    const stopWaiting = clock.after(ms, () => end('late'));
    const stopListening = listen(() => {
      if (isThere()) end('there');
    });
    signal.addEventListener('abort', abort, { once: true });
  });
}
