import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { ending, passing } from './faults.ts';
import { Random } from '../support/random.ts';
import { serviceFaults } from '../support/faultyService.ts';
import { ServiceCalls } from './serviceCalls.ts';
import { type Fault, Site } from './site.ts';

export interface SoakOptions {
  seed: number;
  durationMs: number;
  /** How long deliveries are sent before what is kept is compared with what was acknowledged. */
  roundMs: number;
  /** The longest pause between two faults. */
  pauseMs: number;
  say: (line: string) => void;
}

export interface SoakResult {
  failures: readonly string[];
  sent: number;
  acknowledged: number;
  repeats: number;
  /** Calls of a service that went wrong. */
  calls: number;
  faults: Readonly<Record<string, number>>;
  /**
   * By how many megabytes the last checks find more than the first: in the program that is never ended, and in this
   * process, which calls the service.
   */
  growth: { programMb: number; callerMb: number };
  /** The longest that a program took to answer again, by fault, in milliseconds. */
  recoveries: Readonly<Record<string, number>>;
}

/** Faults of one kind that may happen to a program; each is counted. */
type Faults = Readonly<Record<string, Fault>>;

/**
 * Sends to two listener programs while things go wrong: to one that is ended all the time, or loses its file, and to
 * one that is never ended, whose memory is watched and whose local app must take nothing twice. Calls a service that
 * goes wrong all the while.
 */
export async function soak({ seed, durationMs, roundMs, pauseMs, say }: SoakOptions): Promise<SoakResult> {
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
  const harm = async (site: Site, faults: Faults, until: number): Promise<void> => {
    // Each at least once, so that none is left to chance.
    const due = random.shuffled(Object.entries(faults));
    while (performance.now() < until || due.length > 0) {
      await pause(random.whole(pauseMs / 10, pauseMs));
      const [name, happen] = due.pop() ?? random.of(Object.entries(faults));
      count(name);
      await site.suffer(name, happen);
    }
    site.app.mood = 'up';
    await site.window.channel.request('setNextResponses', { response: 200, times: 0 });
  };
  const spoil = async (until: number): Promise<void> => {
    const due = random.shuffled(serviceFaults);
    while (performance.now() < until || due.length > 0) {
      count(`service:${calls.change(due.pop())}`);
      await pause(random.whole(pauseMs / 10, pauseMs));
    }
  };
  const end = performance.now() + durationMs;
  try {
    while (performance.now() < end && failures.length === 0) {
      const until = performance.now() + roundMs;
      for (const site of [ended, steady]) site.send();
      calls.call();
      await Promise.all([
        harm(ended, { ...passing, ...ending }, until),
        harm(steady, passing, until),
        spoil(until),
      ]);
      for (const checked of [ended, steady, calls]) await checked.check();
      await ended.replaceFolder();
      takenOnce(steady);
      // A program that ended in between may forward once more what the local app had taken.
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
      programMb: growthOf(steady.memories),
      callerMb: growthOf(calls.memories) / 1e6,
    },
    recoveries: { ...steady.recoveries, ...ended.recoveries },
  };
}

function takenOnce(site: Site): void {
  for (const [requestId, times] of site.app.taken) {
    if (times > 1) site.fail(`${requestId} was forwarded ${times} times, though the app had taken it.`);
  }
  site.app.taken.clear();
}

/** How much more is held at the last quarter of the checks than at the first. */
function growthOf(memories: readonly number[]): number {
  const part = Math.max(1, Math.floor(memories.length / 4));
  return Math.min(...memories.slice(-part)) - Math.min(...memories.slice(0, part));
}
