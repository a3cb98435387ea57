import type { Session } from '../support/session.ts';
import { measurePayloads } from './payloadOpening.ts';
import { median } from './statistics.ts';

const count = 1000;
const rounds = 5;

/** From the click that unfolds an app to its first payload, in milliseconds. */
const budgetMs = 300;

/** Measures the payloads of the workspace in the Projects view: lines to be printed, and whether it was fast enough. */
export async function payloadReport(session: Session): Promise<{ lines: string[]; withinBudget: boolean }> {
  const { unfolded, looked, written } = await measurePayloads(session, count, rounds);
  return {
    lines: [
      `${count} payload files of the workspace, until the first of an app is drawn, in ms:`,
      `  since it was unfolded in a new window, median of ${rounds}  ${shown(unfolded)}`,
      `  since the app was drawn                          ${shown(looked)}`,
      `  since a file was written to the disk             ${shown(written)}`,
    ],
    withinBudget: median(unfolded) < budgetMs,
  };
}

function shown(times: readonly number[]): string {
  return `${median(times).toFixed(0)}; worst ${Math.max(...times).toFixed(0)}`;
}
