import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A fake cloudflared or ngrok in a temporary folder. */
export interface FakeTunnelProgram {
  /** The folder, to put on PATH. */
  folder: string;
  /** The program's path. */
  command: string;
  /** Creates a shell script that runs the program as a child process. @returns its path */
  wrapper(): string;
  /** How often the program was started. Only the fake cloudflared counts. */
  starts(): number;
  remove(): void;
}

/**
 * @param fixtures the folder test/fixtures/tunnels
 * @param part its behaviour: one of the cases of `play` in the program's file there
 */
export function fakeTunnelProgram(
  fixtures: string,
  program: 'cloudflared' | 'ngrok',
  part: string,
): FakeTunnelProgram {
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
