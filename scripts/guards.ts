// npm run guards: takes away each guard of the threat model, one at a time, and looks whether its test fails. In a
// copy of the sources, so that nothing here is touched.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './checkout.ts';
import { type Guard, guards } from './guardList.ts';
import { runOwned } from './processes.mjs';
import { runMain } from './runMain.mjs';

const copied = [
  'src',
  'test',
  'scripts',
  'media',
  'l10n',
  'package.json',
  'package.nls.json',
  'tsconfig.json',
  'SECURITY.md',
];

/** `npm run guards -- token` takes away those alone whose words hold it. */
const [words = ''] = process.argv.slice(2);
const chosen = guards.filter(({ guard }) => guard.includes(words));

await runMain(async () => {
  const copy = await mkdtemp(join(tmpdir(), 'runhook-guards-'));
  try {
    for (const name of copied) await cp(join(root, name), join(copy, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    let wrong = 0;
    for (const guard of chosen) {
      const problem = await problemOf(copy, guard);
      if (problem !== undefined) wrong += 1;
      console.log(
        `${problem === undefined ? '✔' : '✘'} ${guard.guard} — ${problem ?? `without it fails: ${guard.title}`}`,
      );
    }
    console.log(
      `${chosen.length - wrong} of ${chosen.length} guards are seen to be missing when they are taken away.`,
    );
    return wrong === 0 ? 0 : 1;
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
});

/** Why it is not shown that the test guards the guard; undefined where it is. */
async function problemOf(
  copy: string,
  { file, is, without, test, title }: Guard,
): Promise<string | undefined> {
  const path = join(copy, file);
  const whole = await readFile(path, 'utf8');
  if (whole.split(is).length !== 2) return `${file} does not hold it once: ${is}`;
  const before = await runTest(copy, test, title);
  if (before.passed === 0 || before.failed > 0) return `its test does not pass with it: ${title}`;
  await writeFile(
    path,
    whole.replace(is, () => without),
  );
  try {
    const after = await runTest(copy, test, title);
    return after.failed > 0 ? undefined : `its test does not miss it: ${title}`;
  } finally {
    await writeFile(path, whole);
  }
}

async function runTest(
  copy: string,
  test: string,
  title: string,
): Promise<{ passed: number; failed: number }> {
  const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const options = ['--no-config', '--extension', 'ts', '--timeout', '20000', '--exit', '--fgrep', title];
  const { output } = await runOwned(process.execPath, [mocha, ...options, join(copy, 'test', test)], {
    cwd: copy,
  });
  const count = (word: string): number =>
    Number(new RegExp(`^\\s*(\\d+) ${word}`, 'm').exec(output)?.[1] ?? 0);
  return { passed: count('passing'), failed: count('failing') };
}
