// npm run guards: takes away each guard of the threat model, one at a time, and looks whether its tests fail. In a
// copy of the sources, so that nothing here is touched.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allGuards } from './guards/allGuards.ts';
import { copyOfCheckout } from './guards/copyOfCheckout.ts';
import type { Guard } from './guards/guard.ts';
import { kindOf, runTests } from './guards/runTests.ts';
import { runMain } from './runMain.mjs';
import { ensureVscodeServer } from './test/vscodeServer.ts';

/** A guard, and one of the tests that have to miss it. */
interface Trial extends Guard {
  test: string;
  title: string;
}

/** `npm run guards -- editor/ token` takes away those alone whose words, or whose test's, hold one of these. */
const words = process.argv.slice(2);
const trials = allGuards
  .flatMap((guard) =>
    Object.entries(guard.tests).flatMap(([test, titles]) =>
      titles.map((title): Trial => ({ ...guard, test, title })),
    ),
  )
  .filter(
    ({ guard, test, title }) =>
      words.length === 0 || words.some((word) => `${guard} ${test}: ${title}`.includes(word)),
  );

await runMain(async () => {
  await ensureVscodeServer();
  const copy = await copyOfCheckout();
  try {
    let wrong = 0;
    for (const kind of ['unit', 'editor', 'ui'] as const) {
      const some = trials.filter(({ test }) => kindOf(test) === kind);
      if (some.length > 0 && !(await passAll(copy, some))) wrong += 1;
      for (const trial of some) {
        const problem = await problemOf(copy, trial);
        if (problem !== undefined) wrong += 1;
        const { guard, test, title } = trial;
        const found = problem ?? 'without it fails';
        console.log(`${problem === undefined ? '✔' : '✘'} ${guard} — ${found}: ${test}: ${title}`);
      }
    }
    console.log(`${trials.length} were tried, ${wrong} went wrong.`);
    return wrong === 0 ? 0 : 1;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

/** Whether the tests pass with all guards in their place. */
async function passAll(copy: string, some: readonly Trial[]): Promise<boolean> {
  const files = [...new Set(some.map(({ test }) => test))];
  const titles = [...new Set(some.map(({ title }) => title))];
  const { passed, failed, failures } = await runTests(copy, files, titles);
  if (failed === 0 && passed >= titles.length) return true;
  console.log(`✘ With all guards ${passed} pass and ${failed} fail of ${titles.length}. ${failures}`);
  return false;
}

/** Why it is not shown that the test guards the guard; undefined where it is. */
async function problemOf(
  copy: string,
  { file, is, without, test, title }: Trial,
): Promise<string | undefined> {
  const path = join(copy, file);
  const whole = await readFile(path, 'utf8');
  if (whole.split(is).length !== 2) return `${file} does not hold it once, ${is}`;
  await writeFile(
    path,
    whole.replace(is, () => without),
  );
  try {
    const { failures } = await runTests(copy, [test], [title]);
    return failures.includes(title) ? undefined : 'its test does not miss it';
  } finally {
    await writeFile(path, whole);
  }
}
