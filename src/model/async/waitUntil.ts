import type { Clock } from '../processes/clock.ts';

/** How a wait ended: by what was waited for, by its time limit, or by the signal. */
export type WaitEnd = 'there' | 'late' | 'aborted';

export interface WaitParts {
  /** Calls back whenever it may be there; returns what ends that. */
  listen: (look: () => void) => () => void;
  clock: Clock;
  /** So long at most. */
  ms: number;
  signal: AbortSignal;
}

/** Waits for something that is told, and ends at once where it is there already. Never rejects. */
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
