import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Where a program lies on the PATH; undefined where it does not. Folders that are not absolute are passed
 * over: they would let the current folder, which may be a cloned repository, say what is run.
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
    const isExecutable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isExecutable) return candidate;
  }
  return undefined;
}
