// npm run fuzz -- [inputs=100000] [seed] [target]: runs the readers of untrusted input with mutations of valid inputs.
// Prints its seed, and saves failing inputs in test/fixtures/fuzz.
import { findingsOf, saveFinding } from './findings.ts';
import { runInput, fuzz } from './fuzz.ts';
import { allTargets } from './targets.ts';

const [inputsText = '100000', seedText = String(Date.now() % 2 ** 32), only] = process.argv.slice(2);
const seed = Number(seedText);
let total = 0;

console.log(`Seed ${seed}`);
for (const target of await allTargets()) {
  if (only === undefined || only === target.name) {
    const inputs = only === undefined ? Math.ceil(Number(inputsText) * target.share) : Number(inputsText);
    for (const { name, input } of findingsOf(target.name)) report(name, await runInput(target, input));
    const startedAt = performance.now();
    const { count, finding } = await fuzz(target, { seed, inputs });
    total += count;
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`${target.name.padEnd(10)} ${String(count).padStart(9)} inputs in ${seconds.toFixed(1)} s`);
    if (finding !== undefined) report(saveFinding(finding.target, finding.input), finding.error);
  }
  await target.dispose?.();
}
console.log(`${total} inputs`);

function report(name: string, error: unknown): void {
  if (error === undefined) return;
  console.error(name, error);
  process.exitCode = 1;
}
