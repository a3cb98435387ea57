import { rename, utimes, writeFile } from 'node:fs/promises';

/**
 * Writes a file that only its owner can read, whole or not at all: who reads it meanwhile, or after a crash, finds the
 * old text or the new one. Two processes may write it at one time.
 * @param at the time of the file
 * @throws Error of the system
 */
export async function replaceFile(path: string, text: string, at?: Date): Promise<void> {
  const made = `${path}.${process.pid}`;
  await writeFile(made, text, { mode: 0o600 });
  if (at !== undefined) await utimes(made, at, at);
  await rename(made, path);
}
