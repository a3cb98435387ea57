import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Translate } from '../../model/translate.ts';
import type { TunnelAdapter, TunnelEvent } from './tunnelAdapter.ts';
import { TunnelError } from './tunnelError.ts';

export interface TunnelProcessOptions {
  adapter: TunnelAdapter;
  /** The program's path. */
  command: string;
  /** The listener's port. */
  port: number;
  /** How long the program has to tell an address, in milliseconds. */
  openWithinMs: number;
  /** How long after the address, in milliseconds, it is taken to work although no connection was reported. */
  settleMs: number;
  /** How long the program has to end before it is killed, in milliseconds. */
  killAfterMs: number;
  /** Every line that it prints. */
  onLine: (line: string) => void;
  t: Translate;
}

/** One run of a tunnel program. */
export class TunnelProcess {
  readonly #options: TunnelProcessOptions;
  readonly #child: ChildProcess;
  readonly #killWithHost = (): unknown => this.#child.kill('SIGKILL');
  #url: string | undefined;
  #problem: (TunnelEvent & { kind: 'problem' }) | undefined;

  /** Resolves with the public address once requests get through; rejects with a TunnelError. */
  readonly opened: Promise<string>;
  /** Resolves when the program has ended, with why. */
  readonly ended: Promise<string>;

  /** Starts the program. */
  constructor(options: TunnelProcessOptions) {
    this.#options = options;
    const { adapter, command, port } = options;
    this.#child = spawn(command, adapter.arguments(port), {
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    // A tunnel that outlives the window would leave the port of this machine reachable.
    process.once('exit', this.#killWithHost);
    this.ended = this.#end();
    this.opened = this.#open();
  }

  /** Ends the program, and waits for it. */
  async close(): Promise<void> {
    this.#child.kill();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), this.#options.killAfterMs);
    await this.ended;
    clearTimeout(kill);
  }

  #end(): Promise<string> {
    const { adapter, t } = this.#options;
    return new Promise((resolve) => {
      const done = (why: string): void => {
        process.off('exit', this.#killWithHost);
        resolve(this.#problem?.reason ?? why);
      };
      this.#child.once('error', ({ message }) => {
        done(t('{0} cannot be started: {1}', adapter.program, message));
      });
      // `close` comes after the last line of output; `exit` may come before it.
      this.#child.once('close', (code, signal) => {
        done(t('{0} ended ({1}).', adapter.program, signal ?? String(code)));
      });
    });
  }

  #open(): Promise<string> {
    const { adapter, openWithinMs, settleMs, t } = this.#options;
    return new Promise((resolve, reject) => {
      let settle: NodeJS.Timeout | undefined;
      const stop = (): void => {
        clearTimeout(hung);
        clearTimeout(settle);
      };
      const open = (url: string): void => {
        stop();
        resolve(url);
      };
      const fail = (reason: string): void => {
        stop();
        reject(new TunnelError(this.#problem?.reason ?? reason, this.#problem?.final ?? false));
      };
      const hung = setTimeout(() => {
        fail(t('{0} told no public address within {1} seconds.', adapter.program, openWithinMs / 1000));
      }, openWithinMs);
      this.#readLines((event) => {
        // What follows a final problem is only its consequence.
        if (event.kind === 'problem' && this.#problem?.final !== true) this.#problem = event;
        if (event.kind === 'url') {
          this.#url = event.url;
          settle ??= setTimeout(() => open(event.url), settleMs);
        }
        if (event.kind === 'connected') {
          this.#problem = undefined;
          if (this.#url !== undefined) open(this.#url);
        }
      });
      void this.ended.then(fail);
    });
  }

  #readLines(take: (event: TunnelEvent) => void): void {
    const { adapter, onLine, t } = this.#options;
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        onLine(line);
        for (const event of adapter.read(line, t)) take(event);
      });
    }
  }
}
