import type { Session } from '../support/workbench/session.ts';
import { measurePayloads } from './payloadOpening.ts';
import { median } from './statistics.ts';

/** For finding the files and drawing the first payload of an app. */
const budgetMs = 300;

/** Measures the payload files of the workspace in the Projects view. */
export async function payloadReport(
  session: Session,
  count: number,
  rounds: number,
): Promise<{ lines: string[]; withinBudget: boolean }> {
  const { found, unfolded, written } = await measurePayloads(session, count, rounds);
  return {
    lines: [
      `${count} payload files of the workspace, in ms (median of ${rounds}; worst):`,
      `  in a new window, until an app can expand   ${formatTimes(found)}`,
      `  from the click to its first payload        ${formatTimes(unfolded)}`,
      `  from writing a file to its row             ${formatTimes(written)}`,
    ],
    withinBudget: median(found) + median(unfolded) < budgetMs,
  };
}

function formatTimes(times: readonly number[]): string {
  return `${median(times).toFixed(0)}; ${Math.max(...times).toFixed(0)}`;
}
