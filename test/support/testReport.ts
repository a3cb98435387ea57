/** How a suite ended. */
export interface TestReport {
  passed: number;
  failed: number;
}

/** How a suite ended whose files can be run one by one: by the path of each. */
export type FileReports = Record<string, TestReport>;

/** What the files come to. */
export function sumOf(files: FileReports): TestReport {
  const all = Object.values(files);
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Begins what the reporter prints in the extension host, among all that is logged there. */
export const reportLineMark = '[tests] ';
