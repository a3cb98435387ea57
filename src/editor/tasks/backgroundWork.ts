import type * as vscode from 'vscode';
import type { TaskWork } from './taskTerminal.ts';

/** Begin the lines that the problem matchers of package.json look for. No delivery's line begins like that. */
const marks = { starting: '○', ready: '●' } as const;

/** What a task starts, and follows until it ends. */
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
  /** What is said when it ran before the task and so goes on: "The listener goes on." */
  goesOn: string;
  /** Looks whether it runs already. */
  look?: () => Promise<void>;
  /** What is said of a state. */
  linesOf: (state: State) => readonly string[];
  /** Writes what happens meanwhile. */
  follow: (write: (lines: readonly string[]) => void) => { dispose(): unknown };
}

/**
 * Starts what goes on in the background, and writes what happens there, until the task is ended, or it ends by itself.
 * What ran before the task goes on after it: whoever started it may need it still.
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
    let said = '';
    const tell = (state: State): void => {
      const lines = linesOf(state).map((line) => `${markOf(state)}${line}`);
      if (lines.length > 0 && lines.join('\n') !== said) write(lines);
      said = lines.join('\n');
      if (hasEnded(state)) ended.resolve(state.kind === 'stopped');
    };
    signal.addEventListener('abort', () => ended.resolve(true), { once: true });
    const following = follow(write);
    let changes: vscode.Disposable | undefined;
    try {
      if (!signal.aborted) await background.start();
      changes = background.onDidChangeState(tell);
      tell(background.state);
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
