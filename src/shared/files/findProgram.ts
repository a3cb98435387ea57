import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * The path of a program found on the PATH; undefined if it is not there. Relative folders are skipped: they would let
 * the current folder, which may be a cloned repository, decide what is run.
 * @param environment `PATH`, and `PATHEXT` on Windows
 */
export async function findProgram(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Promise<string | undefined> {
  const path = environment['PATH'] ?? environment['Path'] ?? '';
  const file = platform === 'win32' ? `${name}.exe` : name;
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const candidate = join(folder, file);
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

/** Whether a file can be run. A folder that can be entered counts as executable, too. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
