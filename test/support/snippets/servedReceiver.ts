import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workFolder } from '../../../scripts/checkout.ts';
import { stopOwned, spawnOwned } from '../../../scripts/processes.mjs';
import { runtimeEnv } from '../../../scripts/test/receiverRuntimes.ts';
import { Receiver } from '../http/receiver.ts';
import type { ServedTarget } from './servedTargets.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Runs verification code as a program. Its handler calls an endpoint of the test (`work`) for each delivery. */
export class ServedReceiver {
  readonly folder = mkdtempSync(join(tmpdir(), 'runhook-receiver-'));
  readonly #target: ServedTarget;
  readonly #env: NodeJS.ProcessEnv;
  #work: Receiver | undefined;
  #process: ChildProcess | undefined;
  #port = 0;
  #output = '';

  /** @param code the target's code as users get it */
  constructor(target: ServedTarget, code: string) {
    this.#target = target;
    const { file, build, runtime, changes } = target;
    const changed = changes.reduce((before, [text, other]) => {
      assert.equal(before.split(text).length, 2, `${text} stands once in ${file}`);
      return before.replace(text, () => other);
    }, code);
    writeFileSync(join(this.folder, file), changed);
    writeFileSync(join(this.folder, 'package.json'), '{"type":"module"}');
    cpSync(here, this.folder, { recursive: true });
    symlinkSync(packages, join(this.folder, 'node_modules'), 'junction');
    this.#env = {
      ...(runtime === undefined ? process.env : runtimeEnv(runtime)),
      // Non-ASCII secrets are UTF-8 in every language.
      LC_ALL: 'C.UTF-8',
      TMPDIR: this.folder,
      TEMP: this.folder,
      GOCACHE: join(workFolder, 'runtimes/go-cache'),
      GO111MODULE: 'off',
      CGO_ENABLED: '0',
      PHP_CLI_SERVER_WORKERS: '8',
      PYTHONUNBUFFERED: '1',
      PORT: '0',
    };
    if (build !== undefined) this.run(build);
  }

  /** The endpoint that the handler calls. The handler fails if it does not answer 200. */
  get work(): Receiver {
    assert.ok(this.#work, 'The receiver has not been started.');
    return this.#work;
  }

  /** Runs a command in the folder of the code and returns its output. */
  run([program = '', ...args]: readonly string[], input = ''): string {
    const env = { ...this.#env, WEBHOOK_SECRET: 'any' };
    const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: this.folder, env, input });
    assert.equal(status, 0, error?.message ?? stderr.toString());
    return stdout.toString();
  }

  /** Starts the program. Rejects with its output if it exits. */
  async start(secret: string): Promise<void> {
    this.#work = await Receiver.start();
    const found = /(?:port[:=] ?|127\.0\.0\.1:)([1-9]\d*)/;
    const child = this.#spawn(secret);
    this.#process = child;
    this.#port = await new Promise((resolve, reject) => {
      child.on('close', () => reject(new Error(`It ended:\n${this.#output}`)));
      const look = () => {
        const port = found.exec(this.#output)?.[1];
        if (port !== undefined) resolve(Number(port));
      };
      child.stdout?.on('data', look);
      child.stderr?.on('data', look);
    });
  }

  #spawn(secret: string): ChildProcess {
    const [program = '', ...args] = this.#target.serve;
    this.#output = '';
    const env = { ...this.#env, WEBHOOK_SECRET: secret, WORK_URL: this.#work?.url ?? '' };
    const path = program.startsWith('./') ? join(this.folder, program) : program;
    // spawnOwned also stops its children, such as PHP's workers.
    const child = spawnOwned(path, args, { cwd: this.folder, env });
    const keep = (text: Buffer) => (this.#output += text.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    return child;
  }

  /** What it has printed since it was started. */
  get output(): string {
    return this.#output;
  }

  /** Where it takes webhooks. */
  get url(): URL {
    return new URL(`http://127.0.0.1:${this.#port}/webhook`);
  }

  /** Starts it once more on a port that is taken: its own. @returns how it ended */
  startOnTakenPort(): { code: number | null; output: string } {
    const [program = '', ...args] = this.#target.serve;
    const env = { ...this.#env, WEBHOOK_SECRET: 'any', PORT: String(this.#port) };
    const path = program.startsWith('./') ? join(this.folder, program) : program;
    const { status, stdout, stderr } = spawnSync(path, args, { cwd: this.folder, env, timeout: 60_000 });
    return { code: status, output: `${stdout.toString()}${stderr.toString()}` };
  }

  /** Sends a webhook and resolves to the status of the answer. */
  send(headers: Record<string, string>, body: Uint8Array): Promise<number> {
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      path: '/webhook',
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(!('Transfer-Encoding' in headers) && { 'Content-Length': body.byteLength }),
        ...headers,
      },
      agent: false,
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', (error) => reject(new Error(`${error.message}\n${this.#output}`))).end(body);
    });
  }

  async stop(): Promise<void> {
    if (this.#process !== undefined) await stopOwned(this.#process);
    await this.#work?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
