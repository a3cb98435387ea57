import type { Clock } from './clock.ts';

const tickMs = 10_000;
/** A timer that comes later than this was not held up by work: the machine was asleep. */
const asleepMs = 60_000;

/**
 * Notices that the machine was asleep: its clock went on and its timers did not.
 * @param onAwake told from when to when the machine was asleep, in Unix milliseconds
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
