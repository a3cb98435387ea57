import { activationTime } from './activationTime.ts';
import { blockedHost } from './blockedHost.ts';
import { burstTable } from './burstTable.ts';
import { bundleSizes } from './bundleSizes.ts';
import { floodLatency } from './flood.ts';
import { floods } from './floods.ts';
import { forgeryLatency } from './forgeries.ts';
import { formKeystroke } from './formKeystroke.ts';
import { hangingWebhooks } from './hangingWebhooks.ts';
import { programMemory } from './memory.ts';
import { payloadReport } from './payloadReport.ts';
import { relayThroughput } from './relay.ts';
import { searchTime } from './searchTime.ts';
import { startTime } from './startTime.ts';
import { stream } from './stream.ts';
import { throughput } from './throughput.ts';
import { treeReport } from './treeReport.ts';
import { type BurstSize, measureWorkbenchBurst } from './workbenchBurst.ts';
import type { BridgedSession } from '../support/workbench/bridgedSession.ts';
import type { Session } from '../support/workbench/session.ts';

/** How much is measured, and for how long. */
export interface BenchSize {
  rounds: number;
  durationMs: number;
  /** The sizes of the bodies whose throughput is measured. */
  bodyBytes: readonly number[];
  /** At least so long, where requests come at a rate. */
  atRateMs: { blockedHost: number; flood: number; forgeries: number };
  /** Names of `floods`. */
  floodKinds: readonly string[];
  deliveries: number;
  megabytes: number;
  keys: number;
  payloads: number;
  keystrokes: number;
  hanging: number;
  /** The time after which a program, or a new window, is idle, in milliseconds. */
  idleMs: { program: number; window: number };
  burst: BurstSize;
}

/** What is measured by `npm run bench`. */
export const fullSize: BenchSize = {
  rounds: 5,
  durationMs: 700,
  bodyBytes: [1024, 64 * 1024],
  atRateMs: { blockedHost: 6000, flood: 8000, forgeries: 5000 },
  floodKinds: Object.keys(floods),
  deliveries: 100_000,
  megabytes: 1000,
  keys: 10_000,
  payloads: 1000,
  keystrokes: 1000,
  hanging: 1000,
  idleMs: { program: 5000, window: 4000 },
  burst: { deliveries: 10_000, warmUp: 2000, quietMs: 4000, settleMs: 2000 },
};

/** Enough for a figure of each. Its figures say nothing: `npm test` looks only whether there are any. */
export const shortSize: BenchSize = {
  rounds: 1,
  durationMs: 60,
  bodyBytes: [1024],
  atRateMs: { blockedHost: 300, flood: 300, forgeries: 300 },
  floodKinds: Object.keys(floods).slice(0, 2),
  deliveries: 300,
  megabytes: 20,
  keys: 500,
  payloads: 40,
  keystrokes: 20,
  hanging: 5,
  idleMs: { program: 0, window: 0 },
  burst: { deliveries: 300, warmUp: 50, quietMs: 300, settleMs: 0 },
};

/** What a benchmark says, and whether it is within its goal, if it has one that is held. */
export interface BenchReport {
  lines: string[];
  withinBudget: boolean;
}

const reported = (lines: string[]): BenchReport => ({ lines, withinBudget: true });

/** The benchmarks that need no editor, by name. */
export const benchmarks: Readonly<Record<string, (size: BenchSize) => Promise<BenchReport>>> = {
  throughput: async ({ bodyBytes, rounds, durationMs }) => {
    const lines: string[] = [];
    for (const bytes of bodyBytes) lines.push(...(await throughput(bytes, rounds, durationMs)));
    return reported(lines);
  },
  relay: async ({ rounds, durationMs }) => reported(await relayThroughput(rounds, durationMs)),
  start: async ({ rounds }) => reported([await startTime(rounds)]),
  blockedHost: async ({ atRateMs, durationMs }) =>
    reported(await blockedHost(Math.max(atRateMs.blockedHost, 3 * durationMs))),
  flood: async ({ atRateMs, durationMs, floodKinds }) =>
    reported(await floodLatency(Math.max(atRateMs.flood, 3 * durationMs), floodKinds)),
  forgeries: async ({ atRateMs, durationMs }) =>
    reported(await forgeryLatency(Math.max(atRateMs.forgeries, 3 * durationMs))),
  memory: async ({ deliveries, idleMs }) => reported([await programMemory(deliveries, idleMs.program)]),
  search: async ({ deliveries }) => reported(await searchTime(deliveries)),
  stream: async ({ megabytes }) => reported(await stream(megabytes)),
  bundles: async () => reported(await bundleSizes()),
  sandbox: ({ hanging }) => hangingWebhooks(hanging, Math.ceil(hanging / 10), Math.ceil(hanging / 2)),
};

/** The benchmarks of what is drawn, in a browser. */
export const drawnBenchmarks: Readonly<
  Record<string, (session: Session, size: BenchSize) => Promise<BenchReport>>
> = {
  tree: (session, { keys, rounds }) => treeReport(session, keys, 2 * rounds - 1),
  form: ({ browser }, { keystrokes }) => formKeystroke(browser, keystrokes),
  payloads: (session, { payloads, rounds }) => payloadReport(session, payloads, rounds),
};

/**
 * The benchmarks that look into the extension host. The first that runs has to be the activation.
 * @param ended the process ids of the extension hosts of the session that have ended
 */
export const hostBenchmarks: Readonly<
  Record<string, (session: BridgedSession, size: BenchSize, ended: Set<number>) => Promise<BenchReport>>
> = {
  activation: async (session, { rounds, idleMs }, ended) =>
    reported(await activationTime(session, rounds, idleMs.window, ended)),
  burst: async (session, { burst }, ended) => {
    const result = await measureWorkbenchBurst(session, burst, ended);
    return { lines: burstTable(result).split('\n'), withinBudget: result.lines === result.deliveries };
  },
};
