/** How a suite ended. */
export interface TestReport {
  passed: number;
  failed: number;
}

/** Begins what the reporter prints in the extension host, among all that is logged there. */
export const reportLineMark = '[tests] ';
