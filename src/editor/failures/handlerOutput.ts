import * as vscode from 'vscode';
import { OutputTail } from '../../deliveries/failure/outputTail.ts';
import { type Trace, tracesIn } from '../../deliveries/failure/traces.ts';

/** How many programs are remembered: one that has ended may have told why. */
const mostPrograms = 20;

/** An error that a program has told, and when, in Unix milliseconds. */
export interface ToldError {
  trace: Trace;
  at: number;
  /** The program: a debug session with all that it has started, or what runs in a terminal. */
  source: unknown;
}

/** What the programs of this window write, which the handler may be one of, under the debugger and in terminals. */
export class HandlerOutput implements vscode.Disposable {
  readonly #debugged = new Tails();
  readonly #inTerminals = new Tails();
  readonly #owned = vscode.Disposable.from(
    vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: (message: DebugEvent) => this.#debuggerSent(session, message),
      }),
    }),
    vscode.window.onDidStartTerminalShellExecution(({ execution }) => void this.#follow(execution)),
  );
  readonly #log: { error(message: string): void };

  constructor(log: { error(message: string): void }) {
    this.#log = log;
  }

  /** The errors that were told since then: by the debugger, and in terminals. @param from Unix milliseconds */
  errorsSince(from: number): [debugged: ToldError[], inTerminals: ToldError[]] {
    return [this.#debugged.errorsSince(from), this.#inTerminals.errorsSince(from)];
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #debuggerSent(session: vscode.DebugSession, { type, event, body }: DebugEvent): void {
    if (type !== 'event' || body === undefined) return;
    const { category, output, reason, threadId } = body;
    if (event === 'output' && category !== 'telemetry' && typeof output === 'string') {
      this.#debugged.add(rootOf(session), output);
    }
    // It stands at what was thrown: the handler may never write it.
    if (event === 'stopped' && reason === 'exception' && typeof threadId === 'number') {
      this.#exception(session, threadId).catch((error: unknown) => {
        this.#log.error(`Asking the debugger about an exception failed: ${String(error)}`);
      });
    }
  }

  async #exception(session: vscode.DebugSession, threadId: number): Promise<void> {
    const asked = { threadId, startFrame: 0, levels: 50 };
    const [info, stack] = (await Promise.all([
      Promise.resolve(session.customRequest('exceptionInfo', { threadId })).catch(() => ({})),
      session.customRequest('stackTrace', asked),
    ])) as [ExceptionInfo, { stackFrames?: StackFrame[] }];
    const { exceptionId = '', description = '' } = info;
    const message = description.split('\n')[0] ?? '';
    const frames = (stack.stackFrames ?? []).flatMap(({ name, line, source }) =>
      source?.path === undefined ? [] : [`    at ${name || 'handler'} (${source.path}:${line}:1)`],
    );
    const named = message.startsWith(exceptionId) ? message : `${exceptionId}: ${message}`;
    this.#debugged.add(rootOf(session), `\n${named}\n${frames.join('\n')}\n`);
  }

  async #follow(execution: vscode.TerminalShellExecution): Promise<void> {
    try {
      for await (const text of execution.read()) this.#inTerminals.add(execution, text);
    } catch (error) {
      this.#log.error(`Reading a terminal failed: ${String(error)}`);
    }
  }
}

/** The part of an event of the Debug Adapter Protocol that is read here. Adapters are programs of others. */
interface DebugEvent {
  type?: unknown;
  event?: unknown;
  body?: { category?: unknown; output?: unknown; reason?: unknown; threadId?: unknown };
}

interface ExceptionInfo {
  exceptionId?: string;
  description?: string;
}

interface StackFrame {
  name: string;
  line: number;
  source?: { path?: string };
}

/** A debugged program may have sessions for each of its processes. */
function rootOf(session: vscode.DebugSession): string {
  return session.parentSession === undefined ? session.id : rootOf(session.parentSession);
}

/** The ends of what several programs have written. */
class Tails {
  readonly #tails = new Map<unknown, OutputTail>();

  add(source: unknown, text: string): void {
    const tail = this.#tails.get(source) ?? new OutputTail();
    tail.add(text, Date.now());
    this.#tails.delete(source);
    this.#tails.set(source, tail);
    const [oldest] = this.#tails.keys();
    if (this.#tails.size > mostPrograms) this.#tails.delete(oldest);
  }

  errorsSince(from: number): ToldError[] {
    return [...this.#tails].flatMap(([source, tail]) => {
      const { text, at } = tail.since(from);
      return tracesIn(text).map((trace) => ({ trace, at: at(trace.offset), source }));
    });
  }
}
