import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestReport } from '../../test/support/testReport.ts';
import { runOwned } from '../processes.mjs';
import { ScriptError } from '../scriptError.mjs';

/** The first folder below test/ says what runs it. */
export type Kind = 'unit' | 'editor' | 'ui';

export function kindOf(file: string): Kind {
  if (file.startsWith('editor/')) return 'editor';
  return file.startsWith('ui/') ? 'ui' : 'unit';
}

/** What tests came to, and what the reporter says of those that failed. */
export interface Outcome {
  passed: number;
  failed: number;
  failures: string;
}

/** Runs tests of one kind in a copy of the checkout: those of these words, and with a UI test its whole file. */
export async function runTests(
  copy: string,
  files: readonly string[],
  titles: readonly string[],
): Promise<Outcome> {
  const report = join(copy, '.vscode-test', 'guards.json');
  await rm(report, { force: true });
  const words = titles.map((title) => title.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
  const kind = kindOf(files[0] ?? '');
  const paths = files.map((file) => join(copy, 'test', file));
  const output: string[] = [];
  for (const command of commands[kind](words, paths)) {
    const ran = await runOwned(process.execPath, command, {
      cwd: copy,
      env: { ...process.env, RUNHOOK_TEST_REPORT: report },
      graceMs: 12_000,
    });
    output.push(ran.output);
  }
  const text = output.join('\n');
  // What fails around a test says nothing of the test.
  if (/"(before|after) (all|each)" hook/.test(text)) throw new ScriptError(`${text}\n\nA hook has failed.`);
  const [, failures = ''] = text.split(/^\s*\d+ failing$/m);
  const { passed, failures: failed } = await readReport(report, text);
  return { passed, failed: failed.length, failures };
}

const commands: Record<Kind, (words: string, paths: readonly string[]) => string[][]> = {
  unit: (words, paths) => [
    [
      join('node_modules', 'mocha', 'bin', 'mocha.js'),
      ...['--no-config', '--extension', 'ts', '--timeout', '20000', '--exit'],
      ...['--reporter', 'test/support/specWithReport.mjs', '--grep', words, ...paths],
    ],
  ],
  editor: (words) => [['scripts/testEditor.ts', '--grep', words]],
  // The tests of a UI file go on where the one before has left the screen.
  ui: (_, paths) => [['scripts/package.ts'], ['scripts/runUiFiles.ts', ...paths]],
};

async function readReport(report: string, output: string): Promise<TestReport> {
  try {
    return JSON.parse(await readFile(report, 'utf8')) as TestReport;
  } catch (cause) {
    throw new ScriptError(`${output}\n\nThe tests did not run to their end.`, { cause });
  }
}
