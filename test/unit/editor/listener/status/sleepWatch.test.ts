import assert from 'node:assert/strict';
import type { Clock } from '../../../../../src/shared/async/clock.ts';
import { watchSleep } from '../../../../../src/editor/listener/status/sleepWatch.ts';

/** A machine that the test sends to sleep. */
class Machine {
  #now = Date.UTC(2026, 10, 20, 12);
  #tick: { ms: number; callback: () => void } | undefined;
  readonly clock: Clock = {
    now: () => this.#now,
    after: (ms, callback) => {
      this.#tick = { ms, callback };
      return () => (this.#tick = undefined);
    },
  };

  /** Runs for so many ticks; each comes late by `lateMs`. */
  run(ticks: number, lateMs = 0): void {
    for (let count = 0; count < ticks; count += 1) {
      const tick = this.#tick;
      this.#now += (tick?.ms ?? 0) + lateMs;
      tick?.callback();
    }
  }

  sleep(ms: number): void {
    this.#now += ms;
  }
}

describe('watching the machine', () => {
  function watched(): { machine: Machine; watch: { dispose(): void }; slept: number[] } {
    const machine = new Machine();
    const slept: number[] = [];
    const watch = watchSleep(machine.clock, (from, to) => slept.push(to - from));
    return { machine, watch, slept };
  }

  it('tells once that it was asleep, and for how long', () => {
    const { machine, slept } = watched();
    machine.run(5);
    machine.sleep(8 * 3_600_000);
    machine.run(3);
    assert.deepEqual(slept, [8 * 3_600_000 + 10_000]);
  });

  it('does not take work for sleep, nor a clock that was set back', () => {
    const { machine, slept } = watched();
    machine.run(10, 20_000);
    machine.sleep(-3_600_000);
    machine.run(2);
    assert.deepEqual(slept, []);
  });

  it('tells nothing after its end', () => {
    const { machine, watch, slept } = watched();
    watch.dispose();
    machine.sleep(3_600_000);
    machine.run(1);
    assert.deepEqual(slept, []);
  });
});
