import { readKeys } from '../../src/service/keys/keys.ts';
import type { Session } from '../support/workbench/session.ts';
import { median } from './statistics.ts';
import { keysOf, measureTree, type TreeOpening } from './treeOpening.ts';

/** From the answer to the first row, in milliseconds. */
const budgetMs = 500;

/** Measures a long key list in the Projects view. */
export async function treeReport(
  session: Session,
  count: number,
  rounds: number,
): Promise<{ lines: string[]; withinBudget: boolean }> {
  const { first, refreshed, paletteMs } = await measureTree(session, count, rounds);
  const usual = [...refreshed].sort((a, b) => a.drawn - b.drawn)[Math.floor(rounds / 2)] ?? first;
  const worst = Math.max(...refreshed.map(({ drawn }) => drawn));
  return {
    lines: [
      `${count} keys, from the answer to the first line, in ms (read by the host + asked for and sent + drawn):`,
      `  unfolded for the first time  ${formatOpening(first)}`,
      `  refreshed, median of ${rounds}       ${formatOpening(usual)}; worst ${worst.toFixed(0)}`,
      `  of it in readKeys            ${measureReadKeys(count, rounds).toFixed(0)}`,
      `  the palette opens meanwhile  ${paletteMs.toFixed(0)}`,
    ],
    withinBudget: first.drawn < budgetMs && usual.drawn < budgetMs,
  };
}

function formatOpening({ read, sent, drawn }: TreeOpening): string {
  const parts = [read, sent - read, drawn - sent].map((ms) => ms.toFixed(0)).join(' + ');
  return `${drawn.toFixed(0)} = ${parts}`;
}

/** The time of `readKeys` alone, after warm-up. */
function measureReadKeys(count: number, rounds: number): number {
  const body = { keys: keysOf(1, count) };
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now();
    readKeys(body);
    return performance.now() - started;
  });
  return median(times);
}
