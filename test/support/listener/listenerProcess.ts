import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { attachProgram, type ProgramPeer } from '../../../src/listener/attach/attachProgram.ts';
import { version } from '../../../src/commandLine/version.ts';
import type { ListenerSettings, News, ProgramState } from '../../../src/deliveries/listenerProtocol.ts';
import { commandLineEntry } from '../processes/entryPoints.ts';
import { ignoringHandlers } from './ignoringHandlers.ts';
import { defaultSecret } from './defaultSecret.ts';
import { Sender } from './sender.ts';

/** The module that makes calls on a storage folder fail. */
export const storageFaults = new URL('storageFaults.ts', import.meta.url).href;

export const processSecret = 'the secret of the test';

export const processSettings: ListenerSettings = {
  secrets: [defaultSecret(processSecret)],
  toleranceSeconds: 300,
  acceptUnverified: false,
  isPublic: false,
  maxBodyBytes: 10 << 20,
  forwardMode: 'afterAck',
  keep: 100_000,
  keepAliveSeconds: 60,
};

interface ListenerProcessOptions {
  /** The maximum size of any file that it writes. */
  largestFileKb?: number;
  /** Whether `<folder>.fault` makes calls on the folder fail: see storageFaults. */
  hasFaults?: boolean;
  /** Changes to `processSettings`. */
  settings?: Partial<ListenerSettings>;
  port?: number;
  /** The revision up to which the window already knows the deliveries. */
  after?: number;
}

/** A listener program in a process, with a window attached to it. */
export class ListenerProcess {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly news: News[] = [];
  readonly states: ProgramState[] = [];
  #sender: Sender | undefined;
  #peer: ProgramPeer | undefined;
  port = 0;
  missed = 0;

  private constructor(process: ChildProcessByStdio<null, Readable, null>) {
    this.#process = process;
  }

  /** @param folder the storage folder */
  static async start(folder: string, options: ListenerProcessOptions = {}): Promise<ListenerProcess> {
    const command = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      ...(options.hasFaults === true ? ['--import', storageFaults] : []),
      commandLineEntry,
      'program',
      folder,
    ];
    const { largestFileKb } = options;
    const [file = '', ...args] =
      largestFileKb === undefined
        ? command
        : ['bash', '-c', `ulimit -f ${largestFileKb}; exec "$0" "$@"`, ...command];
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const started = new ListenerProcess(child);
    const line = await new Promise<string>((resolve, reject) => {
      createInterface(child.stdout)
        .once('line', resolve)
        .once('close', () => reject(new Error('It ended.')));
    });
    if (line !== '{"kind":"ready"}') throw new Error(line);
    await started.attach(folder, options);
    return started;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  get peer(): ProgramPeer {
    if (this.#peer === undefined) throw new Error('Not attached.');
    return this.#peer;
  }

  async attach(folder: string, { settings, port = 0, after }: ListenerProcessOptions): Promise<void> {
    const { peer, welcome } = await attachProgram({
      entry: commandLineEntry,
      folder,
      version: version(),
      replaces: false,
      hello: () =>
        Promise.resolve({
          settings: { ...processSettings, ...settings },
          messages: {},
          ...(after !== undefined && { after }),
        }),
      handlers: {
        ...ignoringHandlers,
        news: (news) => this.news.push(news),
        state: (state) => this.states.push(state),
      },
    });
    this.#peer = peer;
    this.missed = welcome.missed;
    this.port = (await peer.call.listen({ port })).port;
    this.#sender = new Sender(this.port, processSecret);
  }

  /** Sends a delivery that verifies. Resolves to the status; rejects if there is no answer. */
  deliver(requestId: string, body: string): Promise<number> {
    return this.#sender?.deliver(requestId, body) ?? Promise.reject(new Error('It does not listen.'));
  }

  /** The peak of its resident memory. */
  peakMemoryMb(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  /** Kills it with SIGKILL. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Sends it a signal and waits for its end. @returns its exit code; null if the signal ended it */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.#sender?.close();
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return this.#process.exitCode;
    const ended = new Promise<number | null>((resolve) => this.#process.once('exit', resolve));
    this.#process.kill(signal);
    return ended;
  }
}
