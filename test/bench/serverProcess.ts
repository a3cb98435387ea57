import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface BenchServer {
  port: number;
  end: () => void;
}

/** Starts a server of the benchmark. */
export async function startServer(kind: string, ...options: string[]): Promise<BenchServer> {
  const file = fileURLToPath(new URL('server.ts', import.meta.url));
  const child = spawn(process.execPath, [file, kind, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    return { port: Number(line), end: () => child.kill('SIGKILL') };
  }
  throw new Error(`The server "${kind}" ended before it listened.`);
}
