import type { Failure } from '../run/runVariant.ts';
import type { TestResult } from '../run/runSuite.ts';

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

function failureText({ message, cause, expected, actual }: Failure): string {
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
