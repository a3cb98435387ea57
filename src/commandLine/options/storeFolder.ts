import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

export const storeOptions = { store: { type: 'string' } } as const;

export const storeHelp: readonly (readonly [string, string])[] = [
  [
    '--store DIR',
    'the folder of the kept deliveries; else runhook in $XDG_DATA_HOME or ~/.local/share, on Windows in %LOCALAPPDATA%',
  ],
];

/**
 * The folder that deliveries are kept in: the given one, else the default folder of the user.
 * @param given a path, absolute or relative to the working directory
 */
export function storeFolder(
  given: string | undefined,
  { environment = process.env, platform = process.platform, home = homedir() } = {},
): string {
  if (given !== undefined) return resolve(given);
  const [named = '', usual] =
    platform === 'win32'
      ? [environment['LOCALAPPDATA'], join(home, 'AppData', 'Local')]
      : [environment['XDG_DATA_HOME'], join(home, '.local', 'share')];
  // An empty or a relative path counts as none (XDG Base Directory Specification).
  return join(isAbsolute(named) ? named : usual, 'runhook');
}

/** The folder of the SQLite file in a storage folder. */
export function deliveriesFolder(folder: string): string {
  return join(folder, 'deliveries');
}
