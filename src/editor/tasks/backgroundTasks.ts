import * as vscode from 'vscode';
import { unlinked } from '../../deliveries/forwardText.ts';
import { listenerLines } from '../../deliveries/listenerState.ts';
import { failureText } from '../../shared/http/failureReason.ts';
import { attemptColumns } from '../../service/webhookAttempt.ts';
import { t } from '../../shared/text/l10n.ts';
import { oneLine, plainText } from '../../shared/text/plainText.ts';
import { DeliveryLines, type Listener } from '../listener/feature.ts';
import type { Log } from '../kit/log.ts';
import { styled, type TerminalStyle } from '../kit/terminalStyle.ts';
import type { Sandbox, SandboxState } from '../sandbox/feature.ts';

/** Listens, and writes a line for each delivery. */
export function listenWork(listener: Listener, log: Log): TaskWork {
  return backgroundWork({
    background: listener,
    starting: t('Starting the listener'),
    goesOn: t('The listener was already running before this task, and keeps running.'),
    // Another window's listener is visible only after this window has joined it.
    look: () =>
      listener.join().catch((error: unknown) => {
        log.debug(`There is no listener to join: ${failureText(error)}`);
      }),
    linesOf: listenerLines,
    follow: (write) =>
      new DeliveryLines(listener, (lines) =>
        write(lines.map(({ text, of }) => unlinked({ text, links: of?.links ?? [] }))),
      ),
  });
}

/** Serves the sandbox, and writes a line for each attempt to deliver a webhook. */
export function sandboxWork(sandbox: Sandbox): TaskWork {
  return backgroundWork({
    background: sandbox,
    starting: t('Starting the sandbox'),
    goesOn: t('The sandbox was already running before this task, and keeps running.'),
    linesOf: sandboxLines,
    follow: (write) => sandbox.onDidAttempt((attempt) => write([attemptColumns(attempt)])),
  });
}

function sandboxLines(state: SandboxState): string[] {
  switch (state.kind) {
    case 'running': {
      const { baseUrl, projectId, apps } = state.address;
      const names = apps.map(({ name }) => plainText(name)).join(', ');
      return [t('The sandbox runs at {0}: project {1}, apps {2}.', baseUrl, projectId, names)];
    }
    case 'failed':
      return [state.reason];
    case 'stopped':
      return [t('The sandbox has stopped.')];
    case 'starting':
      return [];
  }
}

/** Line prefixes that the problem matchers in package.json look for. No delivery's line starts with one. */
const marks = { starting: '○', ready: '●' } as const;

/** The service that a task starts, and follows until it ends. */
export interface Background<State extends { kind: string }> {
  readonly state: State;
  readonly onDidChangeState: vscode.Event<State>;
  start(): Promise<unknown>;
  stop(): Promise<void>;
}

interface BackgroundWork<State extends { kind: string }> {
  background: Background<State>;
  /** What is being started: "Starting the listener". */
  starting: string;
  /** The message if it ran before the task and so keeps running: "The listener goes on." */
  goesOn: string;
  /** Checks whether it already runs. */
  look?: () => Promise<void>;
  /** The lines to write for a state. @param before the one whose lines are written */
  linesOf: (state: State, before?: State) => readonly string[];
  /** Writes what happens while it runs. */
  follow: (write: (lines: readonly string[]) => void) => { dispose(): unknown };
}

/**
 * Starts a background service and writes what happens there, until the task is ended or the service ends by itself.
 * A service that ran before the task keeps running after it: whoever started it may still need it.
 */
export function backgroundWork<State extends { kind: string }>({
  background,
  starting,
  goesOn,
  look,
  linesOf,
  follow,
}: BackgroundWork<State>): TaskWork {
  return async ({ write, signal }) => {
    write([`${marks.starting} ${starting}`]);
    await look?.();
    const isOurs = hasEnded(background.state);
    const ended = Promise.withResolvers<boolean>();
    let before: State | undefined;
    const report = (state: State): void => {
      const written = before === undefined ? [] : linesOf(before);
      const lines = linesOf(state, before).filter((line) => !written.includes(line));
      if (lines.length > 0) write(lines.map((line) => `${markOf(state)}${line}`));
      before = state;
      if (hasEnded(state)) ended.resolve(state.kind === 'stopped');
    };
    signal.addEventListener('abort', () => ended.resolve(true), { once: true });
    const following = follow(write);
    let changes: vscode.Disposable | undefined;
    try {
      if (!signal.aborted) await background.start();
      changes = background.onDidChangeState(report);
      report(background.state);
      return await ended.promise;
    } finally {
      if (isOurs && !hasEnded(background.state)) await background.stop();
      else if (signal.aborted) write([goesOn]);
      changes?.dispose();
      following.dispose();
    }
  };
}

function hasEnded({ kind }: { kind: string }): boolean {
  return kind === 'stopped' || kind === 'failed';
}

function markOf({ kind }: { kind: string }): string {
  if (hasEnded({ kind })) return '';
  return `${kind === 'starting' ? marks.starting : marks.ready} `;
}

/** What the work of a task writes its output to, and is cancelled by. */
interface TaskOutput {
  /** Writes lines. Text from outside can neither break a line nor control the terminal. */
  readonly write: (lines: readonly string[], style?: TerminalStyle) => void;
  /** Aborted as soon as the task is ended: by its terminal, by Ctrl+C, or by the editor. */
  readonly signal: AbortSignal;
}

/** The work of a task. @returns whether it succeeded; rejects with an error that a user can read */
export type TaskWork = (output: TaskOutput) => Promise<boolean>;

/** The input that Ctrl+C sends. */
const interrupt = '\x03';

/** The terminal of a task. Its exit code is 0 or 1. */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #work: TaskWork;
  readonly #messageOf: (error: unknown) => string;
  readonly #abort = new AbortController();
  readonly #written = new vscode.EventEmitter<string>();
  readonly #closed = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#closed.event;

  /** @param messageOf gives the message of an error for the user */
  constructor(work: TaskWork, messageOf: (error: unknown) => string) {
    this.#work = work;
    this.#messageOf = messageOf;
  }

  open(): void {
    void this.#run();
  }

  handleInput(data: string): void {
    if (data.includes(interrupt)) this.#end();
  }

  /** Called when the terminal is closed: nobody reads further output. */
  close(): void {
    this.#end();
  }

  #end(): void {
    this.#abort.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    const write = (lines: readonly string[], style?: TerminalStyle): void => {
      const inColor = (text: string) => (style === undefined ? colored(text) : styled(style, text));
      // guard S125: No control character of a delivery reaches the terminal.
      this.#written.fire(lines.map((text) => `${inColor(oneLine(text))}\r\n`).join(''));
    };
    let isWell = false;
    try {
      isWell = await this.#work({ write, signal });
    } catch (error) {
      write([signal.aborted ? t('Cancelled.') : this.#messageOf(error)], signal.aborted ? undefined : 'red');
    }
    this.#closed.fire(isWell ? 0 : 1);
    this.#written.dispose();
    this.#closed.dispose();
  }
}

/** The line of a delivery in the colours that it has in the output panel; any other as it is. */
function colored(line: string): string {
  // What a slow handler made of an earlier one has no verdict: `12:04:14.203    of 12:04:11.203  → localhost:3000 500`.
  const [, time, verdict = '', mark = '', rest = ''] =
    /^(\d\S+)  (([✓✎✗○↻↺]) \S+(?: \S+)*)?(.*)$/u.exec(line) ?? [];
  if (time === undefined || (verdict === '' && !/^ {2}[^→]*→/.test(rest))) return line;
  const judged = verdict === '' ? '' : styled(verdictStyles[mark] ?? 'dim', verdict);
  const handled = rest.replace(/→ .*$/, (forward) =>
    styled(/^→ \S+ 2\d\d /.test(forward) ? 'green' : 'red', forward),
  );
  return `${styled('dim', time)}  ${judged}${handled}`;
}

const verdictStyles: Readonly<Record<string, TerminalStyle>> = {
  '✓': 'green',
  '✎': 'blue',
  '✗': 'red',
  '○': 'yellow',
};
