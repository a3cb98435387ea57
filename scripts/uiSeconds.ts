import { statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { root, workFolder } from './checkout.ts';

/** How long UI files took when they last ran whole on this machine: one file for each, as they end at once. */
const folder = join(workFolder, 'ui-seconds');

/** Keeps how many seconds a UI file took. @param file below the checkout */
export async function keepUiSeconds(file: string, seconds: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(placeOf(file), String(seconds));
}

/**
 * In the order in which they are begun: what is begun last is to be short. What was never measured comes first, by
 * the length of its text: the longer that is, the longer it takes, by and large.
 * @param files below the checkout
 */
export async function longestFirst(files: readonly string[]): Promise<string[]> {
  const timed = await Promise.all(
    files.map(async (file) => ({
      file,
      seconds: await secondsOf(file),
      bytes: statSync(join(root, file)).size,
    })),
  );
  timed.sort((a, b) => (a.seconds === b.seconds ? b.bytes - a.bytes : b.seconds - a.seconds));
  return timed.map(({ file }) => file);
}

async function secondsOf(file: string): Promise<number> {
  const text = await readFile(placeOf(file), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || Infinity;
}

function placeOf(file: string): string {
  return join(folder, basename(file, '.test.ts'));
}
