import { setTimeout as pause } from 'node:timers/promises';
import { ending, passing } from './faults.ts';
import { Random } from '../support/random.ts';
import { Site } from './site.ts';

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
  faults: Readonly<Record<string, number>>;
  /** Megabytes of the site that is never ended: at the first checks and at the last ones. */
  growth: { hostMb: number; workerMb: number };
}

/** Faults of one kind that may happen to a listener; each is counted. */
type Faults = Readonly<Record<string, (site: Site) => Promise<void>>>;

/**
 * Sends to two listeners while things go wrong: to one whose host, thread and window end all the time, and to one
 * that is never ended, whose memory is watched and whose local app must take nothing twice.
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
  const harm = async (site: Site, faults: Faults, until: number): Promise<void> => {
    while (performance.now() < until) {
      await pause(random.whole(pauseMs / 10, pauseMs));
      const [name, happen] = random.of(Object.entries(faults));
      counts[name] = (counts[name] ?? 0) + 1;
      await happen(site);
    }
    site.app.mood = 'up';
    await site.host.channel.request('setNextResponses', { response: 200, times: 0 });
  };
  const end = performance.now() + durationMs;
  try {
    while (performance.now() < end && failures.length === 0) {
      const until = performance.now() + roundMs;
      for (const site of [ended, steady]) site.send();
      await Promise.all([harm(ended, { ...passing, ...ending }, until), harm(steady, passing, until)]);
      for (const site of [ended, steady]) await site.check();
      await ended.replaceHost();
      takenOnce(steady);
      const { host = 0, worker = 0 } = steady.memories.at(-1) ?? {};
      say(
        `${ended.acknowledged + steady.acknowledged} acknowledged, ${failures.length} failures, ` +
          `memory ${megabytes(host)} and ${megabytes(worker)} MB`,
      );
    }
  } finally {
    await ended.close();
    await steady.close();
  }
  return {
    failures,
    sent: ended.sender.sent + steady.sender.sent,
    acknowledged: ended.acknowledged + steady.acknowledged,
    repeats: ended.repeats + steady.repeats,
    faults: counts,
    growth: { hostMb: growthOf(steady, 'host'), workerMb: growthOf(steady, 'worker') },
  };
}

function takenOnce(site: Site): void {
  for (const [requestId, times] of site.app.taken) {
    if (times > 1) site.fail(`${requestId} was handed on ${times} times, though the app had taken it.`);
  }
  site.app.taken.clear();
}

/** How much more is held at the last quarter of the checks than at the first. */
function growthOf({ memories }: Site, where: 'host' | 'worker'): number {
  const part = Math.max(1, Math.floor(memories.length / 4));
  const least = (some: typeof memories): number => Math.min(...some.map((memory) => memory[where]));
  return (least(memories.slice(-part)) - least(memories.slice(0, part))) / 1e6;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
