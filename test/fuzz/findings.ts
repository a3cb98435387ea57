import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';

/** Inputs that something once did not stand. They stay, and `npm test` gives them to their targets again. */
const folder = join(root, 'test/fixtures/fuzz');

/** Keeps an input; returns its file. */
export function keepFinding(target: string, input: Buffer): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 8)}.bin`);
  writeFileSync(file, input);
  return file;
}

/** What was found in a target up to now, by the names of the files. */
export function findingsOf(target: string): { name: string; input: Buffer }[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${target}-`))
    .map((name) => ({ name, input: readFileSync(join(folder, name)) }));
}
