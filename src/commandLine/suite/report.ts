import { rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { makeFolder } from '../../shared/files/makeFolder.ts';
import { durationText } from '../../shared/text/durationText.ts';
import type { UserError } from '../../shared/text/userError.ts';
import { top } from '../../suite/fixture/fixture.ts';
import { lastSent, type TestResult } from '../../suite/run/runSuite.ts';
import type { UnmetExpectation } from '../../suite/run/runVariant.ts';
import { variantText } from '../../suite/run/variant.ts';
import { failed } from '../failed.ts';
import { printJson, printLine } from '../print.ts';
import { UnstartedError } from './startedApp.ts';

/**
 * Prints a line for each test, more lines for one that fails, and a summary.
 * @param names the names of the fixtures
 */
export function resultPrinter(names: readonly string[], isJson: boolean) {
  const started = performance.now();
  // The width of the column of fixture names, so that the variants line up.
  const width = Math.min(40, Math.max(0, ...names.map(({ length }) => length)));
  return {
    print(result: TestResult): void {
      if (isJson) printJson(dataOf(result));
      else {
        const [first, ...rest] = linesOf(result, width);
        printLine(first, result.outcome === 'passed' ? 'green' : 'red');
        for (const line of rest) printLine(line);
      }
    },
    /** @param notRun how many tests were left when the run ended early */
    end(results: readonly TestResult[], notRun: number): void {
      const passed = results.filter(({ outcome }) => outcome === 'passed').length;
      const failed = results.length - passed;
      const durationMs = Math.round(performance.now() - started);
      const left = notRun === 0 ? '' : `, ${notRun} not run`;
      if (isJson) printJson({ summary: { passed, failed, notRun, durationMs } });
      else {
        const color = failed + notRun === 0 ? 'green' : 'red';
        printLine(`${passed} passed, ${failed} failed${left}, in ${durationText(durationMs)}`, color);
      }
    },
  };
}

function linesOf(result: TestResult, width: number): [string, ...string[]] {
  const { file, fixture, variant, line, outcome, failures, failedAt } = result;
  const head = `${outcome === 'passed' ? '✓' : '✗'} ${fixture.padEnd(width)}  ${variantText(variant).padEnd(14)}`;
  if (outcome === 'passed') {
    // The test may have waited for longer, for what the handler does afterwards.
    const { answer, durationMs } = lastSent(result) ?? {};
    return [`${head}  ${answer?.status ?? ''} in ${durationText(durationMs ?? result.durationMs)}`];
  }
  const lines = failures.flatMap(({ message, cause }) => [message, ...(cause === undefined ? [] : [cause])]);
  const [first = '', ...rest] = lines;
  return [
    `${head}  ${first}`,
    ...rest.map((one) => `    ${one}`),
    ...failedAtLines(failedAt),
    `    ${file}:${line}`,
  ];
}

/** The line of the handler, as a terminal makes a link of it. */
function failedAtLines(failedAt: TestResult['failedAt']): string[] {
  if (failedAt === undefined) return [];
  const { file, line, message } = failedAt;
  return [`    ${relative(process.cwd(), file)}:${line} ${message}`];
}

/** A result as data for a program. */
function dataOf({ exchanges, failures, ...result }: TestResult) {
  return {
    ...result,
    failures: failures.map(({ place, ...failure }) => ({ ...failure, line: place.line + 1 })),
    answers: exchanges.map(({ request, durationMs, answer }) => ({
      request,
      durationMs,
      status: answer?.status,
    })),
  };
}

/** Removes the report of an earlier run, so that nobody takes it for that of this run. @throws UserError */
export function removeReport(path: string): void {
  attempt(path, () => rmSync(path, { force: true }));
}

/** Writes results as JUnit XML. @param broken the error that ended the run early @throws UserError */
export function writeReport(path: string, results: readonly TestResult[], broken?: UserError): void {
  const all = broken === undefined ? results : [...results, brokenRun(broken)];
  attempt(path, () => {
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
    failures: [{ message, expected: '', actual: '', place: top, cause }],
    exchanges: [],
  };
}

function attempt(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw failed(`The report cannot be written in ${dirname(resolve(path))}`, error);
  }
}

/** Results as JUnit XML, which CI services read: a suite for each fixture. */
export function junitXml(results: readonly TestResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="runhook" ${countsOf(results)}>`,
    ...suites.flatMap(([file, ofFile]) => [
      `  <testsuite name=${quoted(file)} ${countsOf(ofFile)}>`,
      ...ofFile.flatMap(testCase),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function countsOf(results: readonly TestResult[]): string {
  const count = (outcome: TestResult['outcome']): number =>
    results.filter((one) => one.outcome === outcome).length;
  const ms = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `tests="${results.length}" failures="${count('failed')}" errors="${count('broken')}" skipped="0" time="${seconds(ms)}"`;
}

function testCase({ file, fixture, variant, line, outcome, durationMs, failures }: TestResult): string[] {
  const name = variant === '' ? 'the file' : variant;
  const start = `    <testcase name=${quoted(name)} classname=${quoted(fixture)} file=${quoted(file)} line="${line}" time="${seconds(durationMs)}"`;
  if (outcome === 'passed') return [`${start}/>`];
  // A test case may have only one failure element.
  const element = outcome === 'failed' ? 'failure' : 'error';
  const [first] = failures;
  const text = failures.map(failureText).join('\n\n');
  return [
    `${start}>`,
    `      <${element} message=${quoted(first?.message ?? '')}>${escaped(text)}</${element}>`,
    '    </testcase>',
  ];
}

function failureText({ message, cause, expected, actual }: UnmetExpectation): string {
  const compared = expected === '' && actual === '' ? [] : [`expected: ${expected}`, `actual: ${actual}`];
  return [message, ...(cause === undefined ? [] : [cause]), ...compared].join('\n');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function quoted(text: string): string {
  const line = escaped(text).replaceAll('"', '&quot;');
  return `"${line.replace(/[\t\n\r]/g, (one) => `&#${one.charCodeAt(0)};`)}"`;
}

/** Escapes a text for XML. XML cannot express most control characters: they become text such as `\x1b`. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, codeText);
}

function codeText(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return code.length > 2 ? String.raw`\u${code}` : String.raw`\x${code.padStart(2, '0')}`;
}
