// npm run bench: measures Runhook's cost. Where it compares, it measures both sides in turns on the same machine.
// `-- --rounds 9 --seconds 3` measures longer; `-- --only throughput,memory` runs parts of it.
import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { packageExtension } from '../../scripts/build/package.ts';
import { runMain } from '../../scripts/runMain.mjs';
import { ensureVscodeServer } from '../../scripts/test/vscodeServer.ts';
import { BridgedSession } from '../support/workbench/bridgedSession.ts';
import { browser, endSession, session } from '../support/workbench/session.ts';
import { packEmptyExtension } from './activationTime.ts';
import { benchmarks, type BenchReport, fullSize, hostBenchmarks, drawnBenchmarks } from './benchmarks.ts';
import { withFigures } from './statistics.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string' }, seconds: { type: 'string' }, only: { type: 'string' } },
});
const size = {
  ...fullSize,
  ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
  ...(values.seconds !== undefined && { durationMs: 1000 * Number(values.seconds) }),
};

const parts = new Map<string, () => Promise<BenchReport>>();
for (const [name, measure] of Object.entries(benchmarks)) parts.set(name, () => measure(size));
for (const [name, measure] of Object.entries(drawnBenchmarks)) {
  parts.set(name, async () => {
    await ensureWorkbench();
    return measure(await session(), size);
  });
}
for (const [name, measure] of Object.entries(hostBenchmarks)) {
  parts.set(name, async () => {
    await ensureWorkbench();
    const bridged = await BridgedSession.start(await browser(), [await packEmptyExtension()]);
    try {
      return await measure(bridged, size, new Set());
    } finally {
      await bridged.dispose();
    }
  });
}

let ready: Promise<unknown> | undefined;
function ensureWorkbench(): Promise<unknown> {
  ready ??= ensureVscodeServer().then(() => packageExtension());
  return ready;
}

function machine(): string {
  const [first] = cpus();
  const memoryGb = Math.round(totalmem() / 1e9);
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  return `${cpus().length} × ${first?.model ?? '?'}, ${memoryGb} GB, Node ${process.version}, load ${load}`;
}

await runMain(async () => {
  const chosen = values.only?.split(',') ?? [...parts.keys()];
  let failed = 0;
  try {
    for (const name of chosen) {
      const part = parts.get(name);
      if (part === undefined) throw new Error(`There is no part "${name}": ${[...parts.keys()].join(', ')}.`);
      try {
        const { lines, withinBudget } = await part();
        console.log(
          `\n${name}, on ${machine()}\n${withFigures(lines)
            .map((line) => `  ${line}`)
            .join('\n')}`,
        );
        if (!withinBudget) throw new Error('It is not within its goal.');
      } catch (error) {
        // The parts are independent, so the others still run.
        failed += 1;
        console.error(`\n${name}\n `, error);
      }
    }
  } finally {
    await endSession();
  }
  return failed === 0 ? 0 : 1;
});
