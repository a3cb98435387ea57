import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { FailurePlace } from '../../contract/delivery.ts';
import { lastPlace } from '../../deliveries/failure/failurePlace.ts';
import { OutputTail } from '../../deliveries/failure/outputTail.ts';
import { tracesIn } from '../../deliveries/failure/traces.ts';
import type { Workspace } from '../../deliveries/failure/workspaceFiles.ts';
import { endSignals, hasGroups, signalGroup } from '../../listener/program/processGroup.ts';
import { type Clock, delay } from '../../shared/async/clock.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import { waitText } from '../../shared/text/durationText.ts';
import { UserError } from '../../shared/text/userError.ts';
import { exchange } from '../../suite/run/exchange.ts';
import { takesConnection } from '../../suite/run/untilListening.ts';
import { oneLine } from '../../shared/text/plainText.ts';

/** How long one check whether the app answers may take, and the pause between two checks, in milliseconds. */
const askMs = 5000;
const pauseMs = 100;
/** How long to wait for what the app writes of a failure, in milliseconds. */
const outputMs = 200;

interface AppStart {
  /** The shell command to run. */
  command: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** An address that answers once the app is ready. */
  ready: URL;
  /** Whether the app has to answer an HTTP request to be ready; if not, an open port is enough. */
  isAsked: boolean;
  /** How long the app may take to be ready, in milliseconds. */
  readyMs: number;
  /** How long the app has to end before it is killed, in milliseconds. */
  killAfterMs: number;
  /** Whether any certificate of the app counts where the connection stays on this machine. */
  acceptLocalCertificates: boolean;
  /** Masked in the app's lines. */
  secret: string | undefined;
  clock: Clock;
}

/** An app did not start; has the last lines that it printed. */
export class UnstartedError extends UserError {
  override readonly name = 'UnstartedError';
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[]) {
    super(message);
    this.lines = lines;
  }
}

/** An app that runs through the shell in a process group of its own, so that its child processes end with it. */
export class StartedApp {
  readonly #start: AppStart;
  readonly #child: ChildProcess;
  readonly #last: LastLines;
  readonly #mask: SecretMask;
  readonly #output = new OutputTail();
  readonly #killAtOnce = (): unknown => signalGroup(this.#child.pid, 'SIGKILL');
  /** The first signal to this program leads to `end()`; one more, such as a second Ctrl-C, kills the app at once. */
  readonly #interrupted = (): void => {
    if (this.#isEnding) this.#killAtOnce();
    this.#isEnding = true;
  };
  #isEnding = false;
  /** How the shell ended; undefined while it runs. */
  #end: string | undefined;

  private constructor(start: AppStart) {
    this.#start = start;
    this.#mask = new SecretMask(start.secret === undefined ? [] : [start.secret]);
    this.#last = new LastLines(this.#mask);
    this.#child = spawn(start.command, {
      shell: true,
      detached: hasGroups,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: start.environment,
    });
    this.#child.once('error', (error) => (this.#end = error.message));
    this.#child.once('exit', (code, signal) => (this.#end = signal ?? `exit code ${String(code)}`));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue;
      this.#last.follow(stream);
      stream.on('data', (text: string) => this.#output.add(text, start.clock.now()));
    }
    // Leaves no process behind if this program crashes.
    process.once('exit', this.#killAtOnce);
    for (const signal of endSignals) process.on(signal, this.#interrupted);
  }

  /**
   * Starts an app, and waits until it is ready.
   * @throws UnstartedError if it does not get ready; the signal's reason if aborted. The app is ended in both cases.
   */
  static async start(start: AppStart, signal: AbortSignal): Promise<StartedApp> {
    if (await takesConnection(start.ready, AbortSignal.timeout(askMs))) {
      throw new UserError(
        `Another program already listens on ${start.ready.host}. Stop it first, or leave out --start.`,
      );
    }
    const app = new StartedApp(start);
    try {
      await app.#untilReady(signal);
      return app;
    } catch (error) {
      await app.end();
      throw error;
    }
  }

  /**
   * A message if the app has ended by itself; undefined while it runs.
   * @param patienceMs how long to wait for its end: its connections close before the system reports the exit
   */
  async gone(patienceMs: number): Promise<string | undefined> {
    if (this.#end === undefined && patienceMs > 0) {
      await once(this.#child, 'exit', { signal: AbortSignal.timeout(patienceMs) }).catch(() => undefined);
    }
    return this.#end === undefined || this.#isAlive()
      ? undefined
      : `The handler ended by itself (${this.#end}).`;
  }

  /** The last lines that the app has printed, with the secret masked. */
  get lastLines(): readonly string[] {
    return this.#last.lines;
  }

  /**
   * Where the app says that it has failed since then: the first line in the workspace of its last error.
   * @param since Unix milliseconds
   */
  async failedAt(since: number, workspace: Workspace): Promise<FailurePlace | undefined> {
    const { clock } = this.#start;
    // What it has written arrives by another way than its response.
    await delay(clock, outputMs);
    const [text = ''] = this.#mask.lines([this.#output.since(since).text]);
    return lastPlace(tracesIn(text), workspace);
  }

  /** Ends the app and all its child processes. */
  async end(): Promise<void> {
    const { clock, killAfterMs } = this.#start;
    this.#isEnding = true;
    signalGroup(this.#child.pid, 'SIGTERM');
    const until = clock.now() + killAfterMs;
    while (this.#isAlive() && clock.now() < until) await delay(clock, pauseMs);
    this.#killAtOnce();
    if (this.#end === undefined) await once(this.#child, 'exit');
    process.off('exit', this.#killAtOnce);
    for (const signal of endSignals) process.off(signal, this.#interrupted);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  async #untilReady(signal: AbortSignal): Promise<void> {
    const { ready, readyMs, clock } = this.#start;
    const until = clock.now() + readyMs;
    while (!(await this.#isReady(signal))) {
      if (this.#end !== undefined && !this.#isAlive()) {
        // Its last lines may still be on their way.
        await delay(clock, pauseMs, signal);
        throw new UnstartedError(`The handler exited before it responded (${this.#end}).`, this.lastLines);
      }
      if (clock.now() >= until) {
        const where = `${ready.origin}${ready.pathname}`;
        throw new UnstartedError(
          `The handler did not respond at ${where} within ${waitText(readyMs)}. Compare the port with the one that it listens on.`,
          this.lastLines,
        );
      }
      await delay(clock, pauseMs, signal);
    }
  }

  async #isReady(signal: AbortSignal): Promise<boolean> {
    const { ready, isAsked, acceptLocalCertificates } = this.#start;
    if (!isAsked) return takesConnection(ready, AbortSignal.any([signal, AbortSignal.timeout(askMs)]));
    const request = { url: ready, method: 'GET', rawHeaders: [], body: new Uint8Array() };
    const { answer } = await exchange(request, askMs, { signal, acceptLocalCertificates });
    return answer !== undefined && answer.status < 500;
  }

  /** Whether any process of the app is still running. */
  #isAlive(): boolean {
    return hasGroups ? signalGroup(this.#child.pid, 0) : this.#end === undefined;
  }
}

/** How many lines are told, and how many characters of each. */
const toldLines = 20;
const toldLength = 500;
/** As many lines before them are kept, since a secret may begin in one of these. */
const keptLines = 2 * toldLines;

/** The last lines that a program prints, with its secrets masked. */
export class LastLines {
  readonly #mask: SecretMask;
  /** As they were printed, apart from the ends of those that are cut off, with the stream that they came from. */
  readonly #lines: { text: string; stream: Readable }[] = [];

  constructor(mask: SecretMask) {
    this.#mask = mask;
  }

  get lines(): readonly string[] {
    const clean = this.#lines.map(({ text }) => text);
    // Of two streams, the lines of the other may stand between the parts of a secret.
    for (const stream of new Set(this.#lines.map((line) => line.stream))) {
      const own = this.#lines.flatMap((line, at) => (line.stream === stream ? [at] : []));
      const masked = this.#mask.lines(own.map((at) => clean[at] ?? ''));
      for (const [nth, at] of own.entries()) clean[at] = masked[nth] ?? '';
    }
    return this.#mask
      .lines(clean)
      .slice(-toldLines)
      .map((line) => oneLine(line).slice(0, toldLength));
  }

  /** Keeps the last lines of a stream. Memory is bounded, however long a line is. */
  follow(stream: Readable): void {
    // Longer lines are cut off. A line that has the one extra character is known to be cut.
    const most = toldLength + this.#mask.margin + 1;
    let pendingLine = '';
    const keep = (line: string): void => {
      if (line === '') return;
      // A line that was cut off may end with a part of a secret.
      const text = line.length < most ? line : this.#mask.start(line.slice(0, -1));
      this.#lines.push({ text, stream });
      if (this.#lines.length > keptLines) this.#lines.shift();
    };
    stream.setEncoding('utf8').on('data', (text: string) => {
      const parts = text.split(/[\r\n]+/);
      const last = parts.pop() ?? '';
      for (const part of parts) {
        keep((pendingLine + part).slice(0, most));
        pendingLine = '';
      }
      pendingLine = (pendingLine + last).slice(0, most);
    });
    stream.once('end', () => keep(pendingLine));
  }
}
