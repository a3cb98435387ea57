import * as vscode from 'vscode';
import { eventually } from './inEditor.ts';

/** The part of a debug adapter's event that is used here. */
interface DebugEvent {
  type?: string;
  event?: string;
  body?: { output?: string; threadId?: number };
}

/** An app that has stopped at a breakpoint. */
export interface Stop {
  /** The name of the file, and the line from 1. */
  place(): Promise<{ file: string | undefined; line: number }>;
  resume(): Promise<void>;
}

/** Tracks the debug sessions that start from now on. */
export class DebuggedApp {
  #output = '';
  #stop: { session: vscode.DebugSession; threadId: number } | undefined;
  readonly #sessions = new Set<vscode.DebugSession>();
  readonly #owned = vscode.Disposable.from(
    vscode.debug.onDidStartDebugSession((session) => this.#sessions.add(session)),
    vscode.debug.onDidTerminateDebugSession((session) => this.#sessions.delete(session)),
    vscode.debug.registerDebugAdapterTrackerFactory('*', {
      createDebugAdapterTracker: (session) => ({
        onDidSendMessage: ({ type, event, body }: DebugEvent) => {
          if (type !== 'event') return;
          if (event === 'output') this.#output += body?.output ?? '';
          if (event === 'stopped') this.#stop = { session, threadId: body?.threadId ?? 0 };
        },
      }),
    }),
  );

  /** How many sessions run, without those that a debugger has within another. */
  get count(): number {
    return [...this.#sessions].filter(({ parentSession }) => parentSession === undefined).length;
  }

  /** Waits until the app's output contains a text. */
  async waitForOutput(text: string): Promise<void> {
    await eventually(() => (this.#output.includes(text) ? true : undefined));
  }

  /** Waits until the app stops at a breakpoint. */
  async waitForStop(): Promise<Stop> {
    const { session, threadId } = await eventually(() => this.#stop);
    return {
      place: async () => {
        const trace = (await session.customRequest('stackTrace', { threadId, levels: 1 })) as {
          stackFrames: { line: number; source: { path: string } }[];
        };
        const [top] = trace.stackFrames;
        if (top === undefined) throw new Error('The stack is empty.');
        return { file: top.source.path.split(/[\\/]/).at(-1), line: top.line };
      },
      resume: async () => {
        this.#stop = undefined;
        await session.customRequest('continue', { threadId });
      },
    };
  }

  /** Ends all sessions. */
  async end(): Promise<void> {
    await vscode.debug.stopDebugging();
    await eventually(() => (this.#sessions.size === 0 ? true : undefined));
    this.#owned.dispose();
  }
}
