// npm run bench: measures Runhook's cost. Where it compares, it measures both sides in turns on the same machine.
// `--rounds 9 --seconds 3` measures longer; `--only throughput,memory` runs parts of it.
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';
import { runOwned } from '../../scripts/processes.mjs';
import { runMain } from '../../scripts/runMain.mjs';
import { activationTime } from './activationTime.ts';
import { blockedHost } from './blockedHost.ts';
import { bundleSizes } from './bundleSizes.ts';
import { floodLatency } from './flood.ts';
import { forgeryLatency } from './forgeries.ts';
import { programMemory } from './memory.ts';
import { searchTime } from './searchTime.ts';
import { startTime } from './startTime.ts';
import { syncTime } from './syncTime.ts';
import { throughput } from './throughput.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '0.7' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const durationMs = Number(values.seconds) * 1000;

const parts: Readonly<Record<string, () => Promise<string[]> | string[]>> = {
  machine: () => {
    const [first] = cpus();
    const load = loadavg()[0]?.toFixed(1) ?? '?';
    const memoryGb = Math.round(totalmem() / 1e9);
    return [
      `${cpus().length} × ${first?.model ?? '?'}, ${memoryGb} GB, Node ${process.version}, load ${load}`,
    ];
  },
  disk: () => {
    const { median, p99 } = syncTime();
    return [`1.5 KB written and synced in ${median.toFixed(3)} ms (p99 ${p99.toFixed(3)} ms)`];
  },
  throughput: async () => [
    ...(await throughput(1024, rounds, durationMs)),
    ...(await throughput(64 * 1024, rounds, durationMs)),
  ],
  start: async () => [await startTime(Math.max(5, rounds))],
  blockedHost: () => blockedHost(Math.max(6000, 3 * durationMs)),
  flood: () => floodLatency(Math.max(8000, 3 * durationMs)),
  forgeries: () => forgeryLatency(Math.max(5000, 3 * durationMs)),
  memory: async () => [await programMemory(100_000)],
  search: () => searchTime(100_000),
  stream: () => linesOf('stream.ts'),
  bundles: () => bundleSizes(),
  activation: () => activationTime(rounds),
  tree: () => linesOf('tree.ts'),
  workbench: () => linesOf('workbench.ts'),
};

/** Runs a benchmark that is a program of its own. @returns its output */
async function linesOf(program: string): Promise<string[]> {
  const { output } = await runOwned(process.execPath, [join(root, 'test', 'bench', program)], { cwd: root });
  return output.trim().split('\n');
}

await runMain(async () => {
  const chosen = values.only?.split(',') ?? Object.keys(parts);
  let failed = 0;
  for (const name of chosen) {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part "${name}": ${Object.keys(parts).join(', ')}.`);
    try {
      console.log(`\n${name}\n${(await part()).map((line) => `  ${line}`).join('\n')}`);
    } catch (error) {
      // The parts are independent, so the others still run.
      failed += 1;
      console.error(`\n${name}\n `, error);
    }
  }
  return failed === 0 ? 0 : 1;
});
