import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A program that behaves as a tunnel's does, in a folder of its own. */
export interface TunnelStandIn {
  /** The folder, such as a PATH has it. */
  folder: string;
  /** The program's path. */
  command: string;
  /** Makes a script that starts the program, and stays its parent. @returns its path */
  wrapper(): string;
  /** How often it was started; cloudflared's counts. */
  starts(): number;
  remove(): void;
}

/**
 * @param fixtures the folder test/fixtures/tunnels
 * @param part what it plays: the cases of `play` in the program's file there
 */
export function tunnelStandIn(
  fixtures: string,
  program: 'cloudflared' | 'ngrok',
  part: string,
): TunnelStandIn {
  const folder = mkdtempSync(join(tmpdir(), 'runhook-tunnel-'));
  mkdirSync(folder, { recursive: true });
  const command = join(folder, program);
  const counter = join(folder, 'starts');
  const play = pathToFileURL(join(fixtures, `${program}.mjs`)).href;
  writeFileSync(
    command,
    `#!${process.execPath}\nimport(${JSON.stringify(play)}).then(({ play }) => play(${JSON.stringify(part)}, ${JSON.stringify(counter)}));\n`,
  );
  chmodSync(command, 0o755);
  return {
    folder,
    command,
    wrapper: () => {
      const path = join(folder, 'wrapper');
      writeFileSync(path, `#!/bin/sh\n'${command}' "$@"\n`, { mode: 0o755 });
      return path;
    },
    starts: () => statSync(counter).size,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
