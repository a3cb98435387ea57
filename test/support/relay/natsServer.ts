import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimeEnv } from '../../../scripts/test/receiverRuntimes.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { waitFor } from '../time/waitFor.ts';

/** Whether nats-server is on this machine: `npm test` downloads it where it can. */
export const hasNats = runtimeEnv('NATS') !== undefined;

/** One nats-server with JetStream, in a folder of its own, on loopback. */
export class NatsServer {
  readonly folder: string;
  readonly #more: readonly string[];
  /** -1 for any free one, until it has started. */
  #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, more: readonly string[]) {
    this.folder = folder;
    this.#port = port;
    this.#more = more;
  }

  /** @param mostBytes how much it may store */
  static async start(mostBytes?: number): Promise<NatsServer> {
    const server = NatsServer.make(-1, [], mostBytes);
    await server.start();
    return server;
  }

  /** Makes a server that does not run yet. @param more lines of its configuration */
  static make(port: number, more: readonly string[], mostBytes?: number): NatsServer {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-nats-'));
    const most = mostBytes === undefined ? '' : `, max_file_store: ${mostBytes}`;
    return new NatsServer(folder, port, [
      // As docs/relay/nats.conf has them.
      'max_payload: 16MB',
      'max_pending: 1GB',
      `jetstream { store_dir: "${folder}/store"${most} }`,
      ...more,
    ]);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, again after a kill: on the same port, with what it kept. */
  async start(): Promise<void> {
    const config = join(this.folder, 'nats.conf');
    writeFileSync(config, [`listen: "127.0.0.1:${this.#port}"`, ...this.#more, ''].join('\n'));
    const env = runtimeEnv('NATS');
    const child = spawn('nats-server', ['--config', config], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = child;
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4000)));
    // By its own word: on a port that it could not have, somebody else may take connections.
    await waitFor('nats-server', () => child.exitCode !== null || log.includes('Server is ready'));
    const [, port] = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(log) ?? [];
    if (child.exitCode !== null || port === undefined) throw new Error(`nats-server ended: ${log}`);
    this.#port = Number(port);
  }

  /** Has it stand still. On a busy machine it goes on for a moment after the signal. */
  async stop(): Promise<void> {
    this.#process?.kill('SIGSTOP');
    if (process.platform !== 'linux') return;
    const tasks = `/proc/${this.pid}/task`;
    const stands = (task: string) => readFileSync(join(tasks, task, 'stat'), 'utf8').includes(') T ');
    await waitFor('nats-server to stand still', () => readdirSync(tasks).every(stands));
  }

  goOn(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Ends it at once, without a chance to write. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts three nodes that know each other. */
export async function startCluster(): Promise<NatsServer[]> {
  const ports = await Promise.all(Array.from({ length: 6 }, findFreePort));
  const [clients, routes] = [ports.slice(0, 3), ports.slice(3)];
  const nodes = clients.map((port, at) =>
    NatsServer.make(port, [
      `server_name: node-${at}`,
      'cluster {',
      '  name: runhook',
      `  listen: "127.0.0.1:${routes[at]}"`,
      `  routes: [${routes.map((route) => `"nats-route://127.0.0.1:${route}"`).join(', ')}]`,
      '}',
    ]),
  );
  await Promise.all(nodes.map((node) => node.start()));
  return nodes;
}
