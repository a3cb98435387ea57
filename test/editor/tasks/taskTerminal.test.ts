import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  type Background,
  TaskTerminal,
  type TaskWork,
  backgroundWork,
} from '../../../src/editor/tasks/backgroundTasks.ts';

/** Opens a terminal of a task, as the editor does. */
function opened(work: TaskWork): { terminal: TaskTerminal; text: () => string; code: Promise<number> } {
  const terminal = new TaskTerminal(work, (error) => (error as Error).message);
  let text = '';
  terminal.onDidWrite((more) => (text += more));
  const code = new Promise<number>((resolve) => {
    terminal.onDidClose(resolve);
  });
  terminal.open();
  return { terminal, text: () => text, code };
}

describe('the terminal of a task', () => {
  it('shows lines that nobody can break, and ends with 0 or 1', async () => {
    const well = opened(({ write }) => {
      write(['one\r\nforged', '\u001b[31mred']);
      return Promise.resolve(true);
    });
    assert.equal(await well.code, 0);
    assert.equal(well.text(), 'one··forged\r\n·[31mred\r\n');
    assert.equal(await opened(() => Promise.resolve(false)).code, 1);
  });

  it('says why it failed', async () => {
    const failed = opened(() => Promise.reject(new Error('There is no such app.')));
    assert.equal(await failed.code, 1);
    assert.equal(failed.text(), 'There is no such app.\r\n');
  });

  it('is ended by Ctrl+C, and by no other key', async () => {
    const signals: AbortSignal[] = [];
    const { terminal, text, code } = opened(({ signal }) => {
      signals.push(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
      });
    });
    terminal.handleInput('x');
    assert.equal(signals[0]?.aborted, false);
    terminal.handleInput('\x03');
    assert.equal(await code, 1);
    assert.equal(text(), 'Cancelled.\r\n');
  });
});

describe('what a task starts in the background', () => {
  type State = { kind: 'stopped' } | { kind: 'running'; at: string } | { kind: 'failed'; reason: string };
  const changed = new vscode.EventEmitter<State>();
  let state: State;
  const set = (next: State): void => {
    state = next;
    changed.fire(next);
  };
  const background: Background<State> = {
    get state() {
      return state;
    },
    onDidChangeState: changed.event,
    start: () => {
      if (state.kind !== 'running') set({ kind: 'running', at: 'here' });
      return Promise.resolve();
    },
    stop: () => {
      set({ kind: 'stopped' });
      return Promise.resolve();
    },
  };
  const linesOf = (of: State): string[] =>
    of.kind === 'running' ? [`runs ${of.at}`] : [of.kind === 'failed' ? of.reason : 'stopped'];
  const follow = () => ({ dispose: () => undefined });
  const work = (more: Partial<Parameters<typeof backgroundWork<State>>[0]> = {}): TaskWork =>
    backgroundWork({ background, starting: 'Starting', goesOn: 'It goes on.', linesOf, follow, ...more });
  const { endsPattern, beginsPattern } = {
    ...(
      vscode.extensions.getExtension<unknown>('runhook.runhook')!.packageJSON as {
        contributes: { problemMatchers: { background: Record<'beginsPattern' | 'endsPattern', string> }[] };
      }
    ).contributes.problemMatchers[0]!.background,
  };
  after(() => changed.dispose());

  it('is ready by the lines that the problem matcher looks for, and stops with the task', async () => {
    state = { kind: 'stopped' };
    const { terminal, text, code } = opened(work());
    await new Promise(setImmediate);
    set({ kind: 'running', at: 'here' });
    set({ kind: 'running', at: 'there' });
    const lines = text().trimEnd().split('\r\n');
    assert.deepEqual(lines, ['○ Starting', '● runs here', '● runs there']);
    assert.match(lines[0]!, new RegExp(beginsPattern));
    assert.match(lines[1]!, new RegExp(endsPattern));
    terminal.handleInput('\x03');
    assert.equal(await code, 0);
    assert.equal(state.kind, 'stopped');
    assert.match(text(), /● runs there\r\nstopped\r\n$/);
  });

  it('is left alone where it ran before', async () => {
    state = { kind: 'running', at: 'here' };
    const { terminal, text, code } = opened(work());
    await new Promise(setImmediate);
    terminal.handleInput('\x03');
    assert.equal(await code, 0);
    assert.equal(state.kind, 'running');
    assert.match(text(), /It goes on\.\r\n$/);
  });

  it('is left alone where that is seen only after a look', async () => {
    state = { kind: 'stopped' };
    const look = () => {
      set({ kind: 'running', at: 'another window' });
      return Promise.resolve();
    };
    const { terminal, code } = opened(work({ look }));
    await new Promise(setImmediate);
    terminal.close();
    assert.equal(await code, 0);
    assert.equal(state.kind, 'running');
  });

  it('ends the task with it: well where it was stopped, and else not', async () => {
    state = { kind: 'stopped' };
    const stopped = opened(work());
    await new Promise(setImmediate);
    set({ kind: 'stopped' });
    assert.equal(await stopped.code, 0);
    const failed = opened(work());
    await new Promise(setImmediate);
    set({ kind: 'failed', reason: 'It broke.' });
    assert.equal(await failed.code, 1);
    assert.match(failed.text(), /It broke\.\r\n$/);
  });

  it('fails the task where it does not start', async () => {
    state = { kind: 'stopped' };
    const start = () => Promise.reject(new Error('The port is taken.'));
    const { text, code } = opened(work({ background: { ...background, state, start } }));
    assert.equal(await code, 1);
    assert.match(text(), /The port is taken\.\r\n$/);
  });
});
