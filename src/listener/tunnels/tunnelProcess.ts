import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { failureText } from '../../model/service/failureReason.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import type { TunnelAdapter, TunnelEvent } from './tunnelAdapter.ts';

/** What the guard of a tunnel program tells the host, once. */
export type GuardReport =
  | { kind: 'unstartable'; reason: string }
  /** `how`: the exit code, or the signal that ended the program. */
  | { kind: 'ended'; how: string };

export interface TunnelProcessOptions {
  adapter: TunnelAdapter;
  /** The bundle of tunnelGuard, which the program runs under. */
  guardFile: string;
  /** The program's path. */
  command: string;
  port: number;
  /** How long the program has to tell an address, in milliseconds. */
  openWithinMs: number;
  /** How long after the address, in milliseconds, it is taken to work although no connection was reported. */
  settleMs: number;
  /** How long the program has to end before it is killed, in milliseconds. */
  killAfterMs: number;
  onLine: (line: string) => void;
}

/** One run of a tunnel program, under a guard that ends it when this process ends, however that comes about. */
export class TunnelProcess {
  readonly #options: TunnelProcessOptions;
  readonly #guard: ChildProcess;
  #url: string | undefined;
  #problem: (TunnelEvent & { kind: 'problem' }) | undefined;

  /** Resolves with the public address once requests get through; rejects with a UserError. */
  readonly opened: Promise<string>;
  /** Resolves when the program has ended, with why. */
  readonly ended: Promise<string>;

  constructor(options: TunnelProcessOptions) {
    this.#options = options;
    const { adapter, command, guardFile, killAfterMs, port } = options;
    this.#guard = fork(guardFile, [String(killAfterMs), command, ...adapter.arguments(port)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // In the desktop's extension host `execPath` is Electron; a debugger's port is the host's alone.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      execArgv: [],
    });
    this.ended = this.#end();
    this.opened = this.#open();
  }

  /** Whether starting the program again would not help. */
  get isFinal(): boolean {
    return this.#problem?.final ?? false;
  }

  /** Ends the program, and waits for it. */
  async close(): Promise<void> {
    // By a message: a guard that was disconnected from here would never be told of as closed. One that has gone
    // meanwhile takes none.
    if (this.#guard.connected) this.#guard.send('end', () => undefined);
    await this.ended;
  }

  async #end(): Promise<string> {
    const { adapter, onLine } = this.#options;
    let report: GuardReport | undefined;
    // The guard is of the same build: what it sends is a report.
    this.#guard.once('message', (message) => (report = message as GuardReport));
    try {
      // `close` comes after the last line of output, and `disconnect` after the report.
      await Promise.all([once(this.#guard, 'close'), once(this.#guard, 'disconnect')]);
    } catch (error) {
      report = { kind: 'unstartable', reason: String(error) };
    }
    if (report?.kind === 'unstartable') onLine(report.reason);
    if (this.#problem !== undefined) return this.#problem.reason;
    return report?.kind === 'unstartable'
      ? t('{0} cannot be started: {1}', adapter.program, failureText(new Error(report.reason)))
      : t('{0} ended ({1}).', adapter.program, report?.how ?? this.#guard.signalCode ?? 'SIGTERM');
  }

  #open(): Promise<string> {
    const { adapter, openWithinMs, settleMs } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (reason: string): void => reject(new UserError(this.#problem?.reason ?? reason));
    const hung = setTimeout(() => {
      fail(
        t('{0} did not report a public address within {1} seconds.', adapter.program, openWithinMs / 1000),
      );
    }, openWithinMs);
    let settle: NodeJS.Timeout | undefined;
    this.#readLines((event) => {
      // What follows a final problem is only its consequence.
      if (event.kind === 'problem' && this.#problem?.final !== true) this.#problem = event;
      if (event.kind === 'url') {
        this.#url = event.url;
        settle ??= setTimeout(() => resolve(event.url), settleMs);
      }
      if (event.kind === 'connected') {
        this.#problem = undefined;
        if (this.#url !== undefined) resolve(this.#url);
      }
    });
    void this.ended.then(fail);
    return promise.finally(() => {
      clearTimeout(hung);
      clearTimeout(settle);
    });
  }

  #readLines(take: (event: TunnelEvent) => void): void {
    const { adapter, onLine } = this.#options;
    for (const stream of [this.#guard.stdout, this.#guard.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        onLine(line);
        for (const event of adapter.read(line)) take(event);
      });
    }
  }
}
