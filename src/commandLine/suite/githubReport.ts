import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { durationText } from '../../shared/text/durationText.ts';
import { oneLine } from '../../shared/text/plainText.ts';
import type { TestResult } from '../../suite/run/runSuite.ts';
import { variantText } from '../../suite/run/variant.ts';
import { failed } from '../failed.ts';
import { printNote } from '../print.ts';

/** The most annotations of a step: GitHub shows no more than ten errors of one. */
const mostAnnotations = 10;
/** The most rows of the summary, which may have 1 MiB in all. */
const mostRows = 500;

/**
 * Has the runner read no commands on the standard error, where the last lines of an app come.
 * @returns the word that {@link reportToGithub} ends that by
 */
export function stopCommands(): string {
  const word = randomUUID();
  printNote(`::stop-commands::${word}`);
  return word;
}

/**
 * Tells GitHub Actions of a run: failures at the line of their expectation, a table in the summary of the job, and the sums
 * as outputs of the step. What an app has answered is text, and can neither command the runner nor become HTML.
 * @throws UserError if a file of the runner cannot be written
 */
export function reportToGithub(
  results: readonly TestResult[],
  { notRun, junit, stopped }: { notRun: number; junit?: string | undefined; stopped: string },
  environment = process.env,
): void {
  const root = environment['GITHUB_WORKSPACE'] ?? process.cwd();
  const shownPath = (file: string): string => relative(root, resolve(file)).replaceAll('\\', '/');
  const failures = results.filter(({ outcome }) => outcome !== 'passed');
  printNote(`::${stopped}::`);
  for (const result of failures.slice(0, mostAnnotations))
    printNote(annotation(result, shownPath(result.file)));
  const outputs = {
    passed: results.length - failures.length,
    failed: failures.length,
    ...(junit !== undefined && { report: shownPath(junit) }),
  };
  append(environment['GITHUB_STEP_SUMMARY'], summaryText(results, notRun, shownPath));
  append(
    environment['GITHUB_OUTPUT'],
    Object.entries(outputs)
      .map(([name, value]) => `${name}=${oneLine(String(value))}\n`)
      .join(''),
  );
}

function append(path: string | undefined, text: string): void {
  if (path === undefined || path === '') return;
  try {
    appendFileSync(path, text);
  } catch (error) {
    throw failed('The report for GitHub cannot be written', error);
  }
}

/** A failure as a command of the runner: https://docs.github.com/actions/reference/workflow-commands */
function annotation({ variant, line, failures }: TestResult, file: string): string {
  const text = failures
    .map(({ message, cause }) => [message, ...(cause === undefined ? [] : [cause])].join(' '))
    .join('\n');
  const title = variant === '' ? 'The fixture is broken' : `Webhook: ${variantText(variant)}`;
  return `::error file=${property(file)},line=${line},title=${property(title)}::${data(text)}`;
}

/** Escaped as the runner reads it. A command ends with its line. */
function data(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '·');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

function summaryText(
  results: readonly TestResult[],
  notRun: number,
  shownPath: (file: string) => string,
): string {
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  const left = notRun === 0 ? '' : `, ${notRun} not run`;
  // Failures first: a long table is cut off.
  const rows = results.toSorted(
    (one, other) => Number(one.outcome === 'passed') - Number(other.outcome === 'passed'),
  );
  const shown = rows.slice(0, mostRows).map(({ file, variant, outcome, durationMs, line, failures }) => {
    const place = outcome === 'passed' ? shownPath(file) : `${shownPath(file)}:${line}`;
    const said = failures.map(({ message, cause }) => [message, cause ?? ''].join(' ').trim()).join(' ');
    return `<tr><td>${outcome === 'passed' ? '✓' : '✗'}</td><td>${html(place)}</td><td>${html(variantText(variant))}</td><td>${durationText(durationMs)}</td><td>${html(said)}</td></tr>`;
  });
  const more = rows.length > mostRows ? `\n\n… and ${rows.length - mostRows} more.` : '';
  return [
    '### Webhook fixtures',
    '',
    `${passed} passed, ${results.length - passed} failed${left}`,
    '',
    '<table>',
    '<tr><th></th><th>Fixture</th><th>Variant</th><th>Took</th><th>What failed</th></tr>',
    ...shown,
    `</table>${more}`,
    '',
    '',
  ].join('\n');
}

/** A text in HTML, in which Markdown makes nothing of it either: a block of HTML has no empty line, and so no Markdown. */
function html(text: string): string {
  const line = oneLine(text.slice(0, 500));
  return line.replace(/[&<>"'`@#[\]]/g, (one) => `&#${one.charCodeAt(0)};`);
}
