import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Python programs that share no code with Runhook and need only the standard library. */
const folder = fileURLToPath(new URL('../../fixtures/agreement/', import.meta.url));

/** The command for Python 3.9 or newer. */
export function pythonProgram(): string {
  const isNew = 'import sys; sys.exit(sys.version_info < (3, 9))';
  const found = ['python3', 'python'].find((program) => spawnSync(program, ['-c', isNew]).status === 0);
  if (found !== undefined) return found;
  throw new Error(
    'This test needs python3, 3.9 or newer, and there is none. Install it, and run the test again.',
  );
}

/**
 * Runs a program of test/fixtures/agreement until it exits.
 * @param onLine receives each line of JSON that it prints; a returned text is sent to its standard input as a line
 */
export async function runPython(
  program: string,
  args: readonly (string | number)[],
  onLine: (said: unknown) => string | undefined,
): Promise<void> {
  const child = spawn(pythonProgram(), ['-B', program, ...args.map(String)], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const ended = once(child, 'close');
  try {
    for await (const line of createInterface(child.stdout)) {
      const answer = onLine(JSON.parse(line));
      if (answer !== undefined) child.stdin.write(`${answer}\n`);
    }
  } finally {
    child.kill();
  }
  const [code] = (await ended) as [number | null];
  if (errors !== '') throw new Error(`${program} ended with ${String(code)}:\n${errors}`);
}
