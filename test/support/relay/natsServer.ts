import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimeEnv } from '../../../scripts/test/receiverRuntimes.ts';
import { findFreePort } from '../../soak/freePort.ts';
import { waitFor } from '../time/waitFor.ts';

/** Whether nats-server is on this machine: `npm test` downloads it where it can. */
export const hasNats = runtimeEnv('NATS') !== undefined;

/** One nats-server with JetStream, in a folder of its own, on loopback. */
export class NatsServer {
  readonly #config: string;
  readonly folder: string;
  readonly url: string;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, config: string) {
    this.folder = folder;
    this.url = `nats://127.0.0.1:${port}`;
    this.#config = config;
  }

  /** @param mostBytes how much it may store */
  static async start(mostBytes?: number): Promise<NatsServer> {
    const server = NatsServer.make(await findFreePort(), [], mostBytes);
    await server.start();
    return server;
  }

  /** Makes a server that does not run yet. @param more lines of its configuration */
  static make(port: number, more: readonly string[], mostBytes?: number): NatsServer {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-nats-'));
    const config = join(folder, 'nats.conf');
    const most = mostBytes === undefined ? '' : `, max_file_store: ${mostBytes}`;
    const lines = [
      `listen: "127.0.0.1:${port}"`,
      'max_payload: 16MB',
      `jetstream { store_dir: "${folder}/store"${most} }`,
      ...more,
    ];
    writeFileSync(config, `${lines.join('\n')}\n`);
    return new NatsServer(folder, port, config);
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, again after a kill: on the same port, with what it kept. */
  async start(): Promise<void> {
    const env = runtimeEnv('NATS');
    const child = spawn('nats-server', ['--config', this.#config], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4000)));
    const { port } = new URL(this.url);
    await waitFor('nats-server', () => {
      if (child.exitCode !== null) throw new Error(`nats-server ended: ${log}`);
      return accepts(Number(port));
    });
  }

  /** Has it stand still. */
  stop(): void {
    this.#process?.kill('SIGSTOP');
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

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
