import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { endingFaults, survivableFaults } from './faults.ts';
import { Random } from '../support/random/random.ts';
import { serviceFaults } from '../support/service/faultyService.ts';
import { ServiceCalls } from './serviceCalls.ts';
import { type Fault, Site } from './site.ts';

interface SoakOptions {
  seed: number;
  durationMs: number;
  /** The time between two checks. */
  roundMs: number;
  /** The longest pause between two faults. */
  pauseMs: number;
  log: (line: string) => void;
}

interface SoakResult {
  failures: readonly string[];
  sent: number;
  acknowledged: number;
  repeats: number;
  /** Calls to the faulty service. */
  calls: number;
  faults: Readonly<Record<string, number>>;
  /** The memory growth from the first to the last checks: of the listener program that never exits, and of this process. */
  growth: { programMb: number; callerMb: number };
  /** The longest recovery time of each fault, in milliseconds. */
  recoveries: Readonly<Record<string, number>>;
}

/** Faults by name. */
type Faults = Readonly<Record<string, Fault>>;

/**
 * Sends deliveries to two listener programs under faults. One is killed again and again, or loses its file. The other
 * never exits: its memory is measured, and its local app must not receive a delivery twice. At the same time, calls a
 * faulty service.
 */
export async function soak({
  seed,
  durationMs,
  roundMs,
  pauseMs,
  log: say,
}: SoakOptions): Promise<SoakResult> {
  const random = new Random(seed);
  const failures: string[] = [];
  const counts: Record<string, number> = {};
  const fail = (failure: string): void => {
    failures.push(failure);
    say(`FAILURE ${failure}`);
  };
  const ended = await Site.start('ended', random, fail);
  const steady = await Site.start('steady', random, fail);
  const calls = await ServiceCalls.start(random, fail);
  const count = (name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const injectFaults = async (site: Site, faults: Faults, until: number): Promise<void> => {
    // Each fault at least once.
    const due = random.shuffled(Object.entries(faults));
    while (performance.now() < until || due.length > 0) {
      await pause(random.whole(pauseMs / 10, pauseMs));
      const [name, happen] = due.pop() ?? random.of(Object.entries(faults));
      count(name);
      await site.injectFault(name, happen);
    }
    site.app.mode = 'up';
    await site.window.rpc.call.setNextResponses({ response: 200, times: 0 });
  };
  const varyServiceFaults = async (until: number): Promise<void> => {
    const due = random.shuffled(serviceFaults);
    while (performance.now() < until || due.length > 0) {
      count(`service:${calls.changeFault(due.pop())}`);
      await pause(random.whole(pauseMs / 10, pauseMs));
    }
  };
  const end = performance.now() + durationMs;
  try {
    while (performance.now() < end && failures.length === 0) {
      const until = performance.now() + roundMs;
      for (const site of [ended, steady]) site.startSending();
      calls.startCalling();
      await Promise.all([
        injectFaults(ended, { ...survivableFaults, ...endingFaults }, until),
        injectFaults(steady, survivableFaults, until),
        varyServiceFaults(until),
      ]);
      for (const checked of [ended, steady, calls]) await checked.check();
      await ended.replaceFolder();
      checkTakenOnce(steady);
      // A program that was killed may forward a delivery again.
      ended.app.taken.clear();
      say(
        `${ended.acknowledged + steady.acknowledged} acknowledged, ${calls.made} calls, ${failures.length} failures, ` +
          `memory ${steady.memories.at(-1)?.toFixed(1) ?? '?'} MB`,
      );
    }
  } catch (error) {
    fail(inspect(error));
  } finally {
    await ended.close();
    await steady.close();
    await calls.close();
  }
  return {
    failures,
    sent: ended.sender.sent + steady.sender.sent,
    acknowledged: ended.acknowledged + steady.acknowledged,
    repeats: ended.repeats + steady.repeats,
    calls: calls.made,
    faults: counts,
    growth: {
      programMb: memoryGrowth(steady.memories),
      callerMb: memoryGrowth(calls.memories) / 1e6,
    },
    recoveries: { ...steady.recoveries, ...ended.recoveries },
  };
}

function checkTakenOnce(site: Site): void {
  for (const [requestId, times] of site.app.taken) {
    if (times > 1) site.fail(`${requestId} was forwarded ${times} times, though the app had taken it.`);
  }
  site.app.taken.clear();
}

/** The growth from the minimum of the first quarter of the checks to that of the last quarter. */
function memoryGrowth(memories: readonly number[]): number {
  const part = Math.max(1, Math.floor(memories.length / 4));
  return Math.min(...memories.slice(-part)) - Math.min(...memories.slice(0, part));
}
