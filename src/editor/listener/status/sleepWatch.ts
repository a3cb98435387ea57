import type { Clock } from '../../../shared/async/clock.ts';

const tickMs = 10_000;
/** If two ticks are further apart than this, the machine was asleep and not just busy. */
const asleepMs = 60_000;

/**
 * Detects that the machine was asleep: its clock advanced and its timers did not.
 * @param onAwake called with the start and the end of the sleep, in Unix milliseconds
 */
export function watchSleep(clock: Clock, onAwake: (from: number, to: number) => void): { dispose(): void } {
  let last = clock.now();
  const tick = (): void => {
    const [from, to] = [last, clock.now()];
    last = to;
    cancel = clock.after(tickMs, tick);
    if (to - from > asleepMs) onAwake(from, to);
  };
  let cancel = clock.after(tickMs, tick);
  return { dispose: () => cancel() };
}
