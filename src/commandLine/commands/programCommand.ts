import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endSignals } from '../../listener/program/processGroup.ts';
import { failureOf } from '../../shared/rpc/rpc.ts';
import type { ProgramStart } from '../../listener/attach/controlFile.ts';
import { lastWordsMs } from '../../listener/program/control.ts';
import { Program } from '../../listener/program/program.ts';
import { version } from '../version.ts';

declare const runhookVersion: string | undefined;
/** The guard that tunnel programs run under: a bundle beside the program's own, or its source. */
const guard =
  typeof runhookVersion === 'undefined' ? '../../listener/tunnels/tunnelGuard.ts' : './tunnelGuard.js';

/**
 * Runs as the listener program of a storage folder. The editor starts it: `program <folder> [<milliseconds to wait
 * for an old program to end>]`. Its lines on stdout report the progress of the start.
 */
export async function programCommand([folder = '', waitMs = '0']: readonly string[]): Promise<number> {
  const say = (start: ProgramStart): boolean => process.stdout.write(`${JSON.stringify(start)}\n`);
  // The process that started it may be gone.
  process.stdout.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    const program = new Program({
      folder,
      version: version(),
      waitMs: Number(waitMs),
      guardFile: fileURLToPath(new URL(guard, import.meta.url)),
      onEnded: resolve,
    });
    for (const signal of endSignals) {
      process.on(signal, () => void program.end('notWanted'));
    }
    if (waitMs !== '0') say({ kind: 'waiting' });
    program.start().then(
      (isTheOne) => {
        say({ kind: isTheOne ? 'ready' : 'taken' });
        if (!isTheOne) resolve();
      },
      (error: unknown) => {
        say({ kind: 'failed', failure: failureOf(error) });
        resolve();
      },
    );
  });
  await ended;
  await pause(lastWordsMs);
  return 0;
}
