import assert from 'node:assert/strict';
import { cpuMs } from './cpuTime.ts';

/** Shorter times are not measured, because the system counts in steps of some milliseconds. */
const minMeasuredMs = 20;

/**
 * Fails if four times the input takes more than ten times as long; quadratic work takes sixteen times. It measures
 * processor time of this thread, and takes the best of five attempts, as garbage collection may disturb one of them.
 */
export function assertLinear(size: number, work: (size: number) => void): void {
  const growth: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    let rounds = 1;
    let before = cpuMsOf(rounds, () => work(size));
    while (before < minMeasuredMs) {
      rounds *= 4;
      before = cpuMsOf(rounds, () => work(size));
    }
    growth.push(cpuMsOf(rounds, () => work(4 * size)) / before);
    if (growth.at(-1)! < 10) return;
  }
  assert.fail(
    `Four times as much takes ${growth.map((times) => times.toFixed(1)).join(', ')} times as long.`,
  );
}

function cpuMsOf(rounds: number, work: () => void): number {
  return cpuMs(() => {
    for (let round = 0; round < rounds; round += 1) work();
  });
}
