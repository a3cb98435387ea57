import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSocketPath, removeSocket } from '../../shared/rpc/socketPath.ts';
import type { NodeCoverage } from './lineHits.ts';

/** How long a process may take to write what ran, and to end. */
const patienceMs = 10_000;
/** How long the first process may take to connect, once the handler listens. */
const connectMs = 2000;

/**
 * What a measured process loads first: it writes what ran since the last time whenever it is asked, and ends with the
 * connection. V8 counts anew after each time.
 */
const loadedFirst = (socket: string): string => `
const socket = require('node:net').connect(${JSON.stringify(socket)}).unref();
socket.on('error', () => {});
socket.on('data', () => (require('node:v8').takeCoverage(), socket.write('.')));
socket.on('end', () => process.exit());
`;

/** Measures which code of Node processes runs, from one time to the next. Each process of a handler takes part. */
export class CodeMeter {
  readonly #folder: string;
  readonly #path: string;
  readonly #server: Server;
  readonly #processes = new Set<Socket>();

  private constructor(folder: string, path: string) {
    this.#folder = folder;
    this.#path = path;
    this.#server = createServer((socket) => {
      this.#processes.add(socket);
      // Without it, the end of the process is not noticed.
      socket.resume().on('error', () => undefined);
      socket.on('close', () => this.#processes.delete(socket));
    });
  }

  static async open(): Promise<CodeMeter> {
    const folder = await mkdtemp(join(tmpdir(), 'runhook-coverage-'));
    const meter = new CodeMeter(folder, newSocketPath(folder));
    await mkdir(meter.#written);
    await writeFile(meter.#loadedFirst, loadedFirst(meter.#path));
    meter.#server.listen(meter.#path);
    await once(meter.#server, 'listening');
    return meter;
  }

  /** The variables of a handler that is measured. @param options the Node options that it has otherwise */
  readonly variables = (options = ''): Record<string, string> => {
    const own = `--require ${JSON.stringify(this.#loadedFirst)}`;
    return {
      NODE_V8_COVERAGE: this.#written,
      NODE_OPTIONS: options.includes(own) ? options : `${own} ${options}`.trimEnd(),
    };
  };

  /** Whether a process is measured. A handler that does not run in Node never is. */
  async measures(): Promise<boolean> {
    if (this.#processes.size > 0) return true;
    const signal = AbortSignal.timeout(connectMs);
    await once(this.#server, 'connection', { signal }).catch(() => undefined);
    return this.#processes.size > 0;
  }

  /** What ran since the last time, of each process. One that does not answer in time is left out. */
  async take(signal: AbortSignal): Promise<NodeCoverage[]> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    await Promise.all(
      [...this.#processes].map(async (socket) => {
        socket.write('.');
        await answered(socket, limit);
      }),
    );
    signal.throwIfAborted();
    const files = await readdir(this.#written);
    const read = files.map(async (name): Promise<NodeCoverage[]> => {
      const file = join(this.#written, name);
      try {
        const coverage = JSON.parse(await readFile(file, 'utf8')) as NodeCoverage;
        await rm(file);
        return [coverage];
      } catch {
        // A process that was too late for the last time writes it now: it counts the next time.
        return [];
      }
    });
    return (await Promise.all(read)).flat();
  }

  /** Ends the processes. */
  async close(): Promise<void> {
    const limit = AbortSignal.timeout(patienceMs);
    await Promise.all(
      [...this.#processes].map(async (socket) => {
        socket.end();
        await once(socket, 'close', { signal: limit }).catch(() => socket.destroy());
      }),
    );
    this.#server.close();
    removeSocket(this.#path);
    // A program that ends may still write into it.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  get #written(): string {
    return join(this.#folder, 'written');
  }

  get #loadedFirst(): string {
    return join(this.#folder, 'loadedFirst.cjs');
  }
}

/** Resolves once a process has answered or ended, or the signal is aborted. */
async function answered(socket: Socket, limit: AbortSignal): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([limit, over.signal]);
  const either = [once(socket, 'data', { signal }), once(socket, 'close', { signal })];
  await Promise.race(either).catch(() => undefined);
  over.abort();
}
