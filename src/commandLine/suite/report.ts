import { rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../files/makeFolder.ts';
import type { UserError } from '../../model/text/userError.ts';
import { top } from '../../suite/fixture/fixture.ts';
import { junitXml } from '../../suite/report/junit.ts';
import type { TestResult } from '../../suite/run/runSuite.ts';
import { failed } from '../failed.ts';
import { UnstartedError } from './startedApp.ts';

/** Removes the report of an earlier run, so that nobody takes it for that of this run. @throws UserError */
export function removeReport(path: string): void {
  attempt(() => rmSync(path, { force: true }));
}

/** Writes results as JUnit XML. @param broken the error that ended the run early @throws UserError */
export function writeReport(path: string, results: readonly TestResult[], broken?: UserError): void {
  const all = broken === undefined ? results : [...results, brokenRun(broken)];
  attempt(() => {
    makeFolder(dirname(resolve(path)));
    writeFileSync(path, junitXml(all));
  });
}

/** The error that ended a run early, as a test of its own. */
function brokenRun(error: UserError): TestResult {
  const { message } = error;
  const cause = error instanceof UnstartedError ? error.lines.join('\n') : undefined;
  return {
    file: 'runhook test',
    fixture: 'runhook test',
    variant: 'the run',
    line: 1,
    outcome: 'broken',
    durationMs: 0,
    failures: [{ message, expected: '', actual: '', place: top, ...(cause !== undefined && { cause }) }],
    exchanges: [],
  };
}

function attempt(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw failed('The report cannot be written', error);
  }
}
