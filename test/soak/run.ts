// npm run soak -- [minutes=20] [seed]: injects random faults for this long. Fails if an acknowledged delivery is lost or
// doubled, if a process exits unexpectedly, or if memory grows.
import { loadavg } from 'node:os';
import { soak } from './soak.ts';

const [minutes = '20', seedText = String(Date.now() % 2 ** 32)] = process.argv.slice(2);
const seed = Number(seedText);
/** High, because the listener program is measured without a garbage collection before. */
const maxGrowthMb = 25;

console.log(
  `Seed ${seed}, ${minutes} minutes, Node ${process.version}, load ${loadavg()[0]?.toFixed(1) ?? '?'}`,
);
const startedAt = performance.now();
const { failures, growth, faults, ...counts } = await soak({
  seed,
  durationMs: Number(minutes) * 60_000,
  roundMs: 20_000,
  pauseMs: 1000,
  log: (line) => console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  ${line}`),
});
console.log(JSON.stringify({ ...counts, growth, faults }, undefined, 2));
const isFlat = Object.values(growth).every((mb) => mb < maxGrowthMb);
if (!isFlat) console.error(`Memory has grown by more than ${maxGrowthMb} MB.`);
if (failures.length > 0) console.error(`${failures.length} failures:\n${failures.join('\n')}`);
process.exitCode = failures.length === 0 && isFlat ? 0 : 1;
