import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { failureText } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { sentence } from '../../shared/text/sentences.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { UserError } from '../../shared/text/userError.ts';
import type { TunnelAdapter, TunnelEvent } from './tunnelAdapter.ts';

/** The one message that the guard of a tunnel program sends to the host. */
export type GuardReport =
  | { kind: 'unstartable'; reason: string }
  /** `how`: the exit code, or the signal that ended the program. */
  | { kind: 'ended'; how: string };

/** How long after the end of the guard its last lines may take, in milliseconds. */
const lastLinesMs = 1000;

export interface TunnelProcessOptions {
  adapter: TunnelAdapter;
  /** The bundle of tunnelGuard, which the program runs under. */
  guardFile: string;
  /** The program's path. */
  command: string;
  port: number;
  /** How long the program has to report an address, in milliseconds. */
  openWithinMs: number;
  /** How long after the address, in ms, the tunnel counts as open although no connection was reported. */
  settleMs: number;
  /** How long the program has to end before it is killed, in milliseconds. */
  killAfterMs: number;
  /** Takes a line that the program wrote. @returns the line, fit to be told */
  onLine: (line: string) => string;
}

/** One run of a tunnel program, under a guard that ends it when this process ends, for whatever reason. */
export class TunnelProcess {
  readonly #options: TunnelProcessOptions;
  readonly #guard: ChildProcess;
  /** Holds the configuration of this run alone. */
  readonly #folder: string;
  #url: string | undefined;
  #problem: (TunnelEvent & { kind: 'problem' }) | undefined;
  /** The last line that the program wrote, fit to be told: since its last connection, and none of normal operation. */
  #lastLine = '';

  /** Resolves with the public address once requests get through; rejects with a UserError. */
  readonly opened: Promise<string>;
  /** Resolves with the reason when the program has ended. */
  readonly ended: Promise<string>;

  constructor(options: TunnelProcessOptions) {
    this.#options = options;
    const { adapter, command, guardFile, killAfterMs, port } = options;
    this.#folder = mkdtempSync(join(tmpdir(), 'runhook-tunnel-'));
    const config = join(this.#folder, 'config.yml');
    // YAML for nothing: an empty file is complained about.
    writeFileSync(config, '{}\n');
    const args = [String(killAfterMs), command, ...adapter.arguments(port, config)];
    this.#guard = fork(guardFile, args, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // In the desktop's extension host `execPath` is Electron; a debugger's port is the host's alone.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      execArgv: [],
    });
    this.ended = this.#waitForEnd();
    this.opened = this.#waitForAddress();
  }

  /** Whether restarting the program would not help. */
  get isFinal(): boolean {
    return this.#problem?.final ?? false;
  }

  /** Ends the program, and waits until it has ended. */
  async close(): Promise<void> {
    // Sends a message instead of disconnecting: after a disconnect from this side, the guard's `close` would never be
    // reported. A guard that has exited meanwhile cannot receive it, hence the callback that ignores errors.
    if (this.#guard.connected) this.#guard.send('end', () => undefined);
    await this.ended;
  }

  async #waitForEnd(): Promise<string> {
    const { adapter, onLine } = this.#options;
    let report: GuardReport | undefined;
    // The guard is from the same build, so its message is a report.
    this.#guard.once('message', (message) => (report = message as GuardReport));
    this.#guard.once('exit', () => {
      // What has left the program's group may hold them open.
      setTimeout(() => {
        this.#guard.stdout?.destroy();
        this.#guard.stderr?.destroy();
      }, lastLinesMs).unref();
    });
    try {
      // `close` comes after the last line of output, and `disconnect` after the report.
      await Promise.all([once(this.#guard, 'close'), once(this.#guard, 'disconnect')]);
    } catch (error) {
      report = { kind: 'unstartable', reason: String(error) };
    }
    rmSync(this.#folder, { recursive: true, force: true });
    if (report?.kind === 'unstartable') onLine(report.reason);
    if (this.#problem !== undefined) return this.#problem.reason;
    const { program } = adapter;
    if (report?.kind === 'unstartable')
      return t('{0} cannot be started: {1}', program, failureText(new Error(report.reason)));
    const how = report?.how ?? this.#guard.signalCode ?? 'SIGTERM';
    return this.#lastLine !== ''
      ? sentence(t('{0} exited ({1}): {2}', program, how, plainText(this.#lastLine, 200)))
      : t('{0} exited ({1}).', program, how);
  }

  #waitForAddress(): Promise<string> {
    const { adapter, openWithinMs, settleMs } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const fail = (reason: string): void => reject(new UserError(this.#problem?.reason ?? reason));
    const timeout = setTimeout(() => {
      fail(
        t('{0} did not report a public address within {1} seconds.', adapter.program, openWithinMs / 1000),
      );
    }, openWithinMs);
    let settle: NodeJS.Timeout | undefined;
    this.#readLines((event) => {
      // Problems after a final one are only its consequences.
      if (event.kind === 'problem' && this.#problem?.final !== true) this.#problem = event;
      if (event.kind === 'url') {
        this.#url = event.url;
        settle ??= setTimeout(() => resolve(event.url), settleMs);
      }
      if (event.kind === 'connected') {
        this.#problem = undefined;
        this.#lastLine = '';
        if (this.#url !== undefined) resolve(this.#url);
      }
    });
    void this.ended.then(fail);
    return promise.finally(() => {
      clearTimeout(timeout);
      clearTimeout(settle);
    });
  }

  #readLines(take: (event: TunnelEvent) => void): void {
    const { adapter, onLine } = this.#options;
    for (const stream of [this.#guard.stdout, this.#guard.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        const told = line.trim() === '' ? '' : onLine(line);
        if (told !== '' && !adapter.isRoutine(line)) this.#lastLine = told;
        for (const event of adapter.read(line)) take(event);
      });
    }
  }
}
