import * as vscode from 'vscode';
import { oneLine } from '../../model/text/oneLine.ts';
import { exchangeLines } from '../../suite/report/exchangeLines.ts';
import type { Failure } from '../../suite/run/runVariant.ts';
import type { TestResult } from '../../suite/run/runSuite.ts';

/** Reports a test result to the Test view: failures at the line of their expectation, responses in the output. */
export function reportResult(
  run: vscode.TestRun,
  item: vscode.TestItem,
  uri: vscode.Uri,
  { fixture, variant, outcome, durationMs, failures, exchanges }: TestResult,
): void {
  const head = [fixture, variant].filter((part) => part !== '').join(' · ');
  const lines = [head, ...exchanges.flatMap(exchangeLines), ''];
  // guard: what an app answers cannot steer the terminal that shows it
  run.appendOutput(lines.map((line) => `${oneLine(line)}\r\n`).join(''), undefined, item);
  const messages = failures.map((failure) => messageOf(failure, uri));
  if (outcome === 'passed') run.passed(item, durationMs);
  else if (outcome === 'failed') run.failed(item, messages, durationMs);
  else run.errored(item, messages);
}

function messageOf(
  { message, cause, expected, actual, place }: Failure,
  uri: vscode.Uri,
): vscode.TestMessage {
  const text = [message, ...(cause === undefined ? [] : [cause])].join('\n\n');
  const isCompared = expected !== '' || actual !== '';
  const made = isCompared ? vscode.TestMessage.diff(text, expected, actual) : new vscode.TestMessage(text);
  made.location = new vscode.Location(uri, new vscode.Position(place.line, place.character));
  return made;
}
