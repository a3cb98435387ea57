import type { Session } from '../support/session.ts';
import { measurePayloads } from './payloadOpening.ts';
import { median } from './statistics.ts';

const count = 1000;
const rounds = 5;

/** Until the first of an app is drawn, but for whoever clicks, in milliseconds. */
const budgetMs = 300;

/** Measures the payloads of the workspace in the Projects view: lines to be printed, and whether it was fast enough. */
export async function payloadReport(session: Session): Promise<{ lines: string[]; withinBudget: boolean }> {
  const { found, unfolded, written } = await measurePayloads(session, count, rounds);
  return {
    lines: [
      `${count} payload files of the workspace, of an app drawn, in ms (median of ${rounds}; worst):`,
      `  in a new window, until it can be unfolded  ${shown(found)}`,
      `  from the click that unfolds it             ${shown(unfolded)}`,
      `  from a file that is written to the disk    ${shown(written)}`,
    ],
    withinBudget: median(found) + median(unfolded) < budgetMs,
  };
}

function shown(times: readonly number[]): string {
  return `${median(times).toFixed(0)}; ${Math.max(...times).toFixed(0)}`;
}
