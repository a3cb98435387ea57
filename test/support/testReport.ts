/** How a suite ended. */
export interface TestReport {
  passed: number;
  /** What failed: its title, and below it, indented, why. */
  failures: string[];
}

/** What several suites come to. */
export function sumOf(reports: readonly TestReport[]): TestReport {
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

/** What a suite that ended with an exit code has left. One that ended badly, or ran nothing, has failed all the same. */
export function reportOf(text: string | undefined, exitCode: number): TestReport {
  const { passed, failures } = text === undefined ? sumOf([]) : (JSON.parse(text) as TestReport);
  if (failures.length === 0 && exitCode !== 0) return { passed, failures: [`it ended with ${exitCode}`] };
  if (failures.length === 0 && passed === 0) return { passed, failures: ['it ran no test'] };
  return { passed, failures };
}

/** Begins what the reporter prints in the extension host, among all that is logged there. */
export const reportLineMark = '[tests] ';
