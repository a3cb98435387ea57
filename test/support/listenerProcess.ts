import { type ChildProcess, spawn } from 'node:child_process';
import * as http from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sign } from '../../src/webhooks/signature.ts';

const child = fileURLToPath(new URL('listenerChild.ts', import.meta.url));
const secret = 'the secret of the test';

/** A listener in a process of its own. */
export class ListenerProcess {
  readonly #process: ChildProcess;
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly port: number;

  private constructor(process: ChildProcess, port: number) {
    this.#process = process;
    this.port = port;
  }

  /** @param largestFileKb no file that it writes may become larger */
  static async start(
    folder: string,
    { largestFileKb }: { largestFileKb?: number } = {},
  ): Promise<ListenerProcess> {
    const command = [process.execPath, child, folder, secret];
    const [file = '', ...args] =
      largestFileKb === undefined
        ? command
        : ['bash', '-c', `ulimit -f ${largestFileKb}; exec "$0" "$@"`, ...command];
    const started = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(started.stdout)) {
      const { port } = JSON.parse(line) as { port?: number };
      if (port !== undefined) return new ListenerProcess(started, port);
    }
    throw new Error('The listener ended before it listened.');
  }

  /** Sends a delivery that verifies; resolves with the status, or rejects where there is none. */
  deliver(requestId: string, body: string): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const headers = {
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': requestId,
      'X-Service-Webhook-Timestamp': timestamp,
      'X-Service-Webhook-Signature': `v1,${sign(secret, requestId, timestamp, Buffer.from(body))}`,
    };
    const options = { host: '127.0.0.1', port: this.port, method: 'POST', headers, agent: this.#agent };
    return new Promise((resolve, reject) => {
      const request = http.request(options, (answer) => {
        // The status is the acknowledgement: it counts though the connection may break right after it.
        resolve(answer.statusCode ?? 0);
        answer.on('error', () => undefined).resume();
      });
      request.on('error', reject).end(body);
    });
  }

  /** SIGKILL: nothing in it gets to run any more. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill('SIGKILL');
    await ended;
    this.#agent.destroy();
  }
}
