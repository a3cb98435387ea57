import { isAbsolute, join } from 'node:path';

/** Where the programs of a user keep what is no setting. An empty or a relative path counts as none (XDG). */
export function userDataFolder(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
  home: string,
): string {
  const [named = '', usual] =
    platform === 'win32'
      ? [environment['LOCALAPPDATA'], join(home, 'AppData', 'Local')]
      : [environment['XDG_DATA_HOME'], join(home, '.local', 'share')];
  return join(isAbsolute(named) ? named : usual, 'runhook');
}
