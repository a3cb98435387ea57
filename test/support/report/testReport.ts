/** The result of a suite. */
export interface TestReport {
  passed: number;
  /** The title of each failed test, followed by its indented error. */
  failures: string[];
}

/** The total of several suites. */
export function mergeReports(reports: readonly TestReport[]): TestReport {
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

/** Parses the report of a suite. A suite that exits with an error or runs no test counts as failed. */
export function parseReport(text: string | undefined, exitCode: number): TestReport {
  const { passed, failures } = text === undefined ? mergeReports([]) : (JSON.parse(text) as TestReport);
  if (failures.length === 0 && exitCode !== 0) return { passed, failures: [`it ended with ${exitCode}`] };
  if (failures.length === 0 && passed === 0) return { passed, failures: ['it ran no test'] };
  return { passed, failures };
}

/** The prefix of the reporter's lines, to find them among the extension host's other output. */
export const reportLinePrefix = '[tests] ';
