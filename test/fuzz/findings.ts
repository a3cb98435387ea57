import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/checkout.ts';

/** Inputs that once made a target fail. `npm test` runs them again. */
const folder = join(root, 'test/fixtures/fuzz');

/** Saves an input. @returns its file */
export function saveFinding(target: string, input: Buffer): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${target}-${createHash('sha256').update(input).digest('hex').slice(0, 8)}.bin`);
  writeFileSync(file, input);
  return file;
}

/** The saved inputs for a target. */
export function findingsOf(target: string): { name: string; input: Buffer }[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${target}-`))
    .map((name) => ({ name, input: readFileSync(join(folder, name)) }));
}
