import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { OrderedState } from '../../../../src/editor/kit/orderedState.ts';

/** The state of an extension as the editor keeps it: one write for all that was set before it, which is sent back. */
class EditorState implements vscode.Memento {
  /** What is on the disk. */
  stored: Record<string, unknown> = {};
  writes = 0;
  fails = false;
  #value: Record<string, unknown> = {};
  #writing: Promise<void> | undefined;

  keys(): readonly string[] {
    return Object.keys(this.#value).filter((key) => this.#value[key] !== undefined);
  }

  get<T>(key: string, fallback?: T): T {
    const value = this.#value[key];
    return (value === undefined ? fallback : value) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    this.#value[key] = value;
    return (this.#writing ??= this.#write());
  }

  async #write(): Promise<void> {
    await setImmediate();
    this.#writing = undefined;
    const written = { ...this.#value };
    this.writes += 1;
    await setImmediate();
    if (this.fails) throw new Error('the disk is full');
    this.stored = written;
    this.#value = { ...written };
  }
}

describe('the state that all windows share', () => {
  it('keeps what is set while a write is on its way', async () => {
    const editor = new EditorState();
    const state = new OrderedState(editor);
    const updates: Promise<void>[] = [];
    for (let at = 0; at < 9; at += 1) {
      updates.push(state.update(`key ${at}`, at));
      assert.equal(state.get(`key ${at}`), at);
      await setImmediate();
    }
    await Promise.all(updates);
    const expected = Object.fromEntries(updates.map((_, at) => [`key ${at}`, at]));
    assert.deepEqual(editor.stored, expected);
    assert.deepEqual(state.keys(), Object.keys(expected));
  });

  it('has a value at once, and not one that was removed', async () => {
    const state = new OrderedState(new EditorState());
    await state.update('a', 1);
    const removed = state.update('a', undefined);
    const added = state.update('b', null);
    assert.equal(state.get('a', 'none'), 'none');
    assert.equal(state.get('b', 'none'), null);
    assert.deepEqual(state.keys(), ['b']);
    await Promise.all([removed, added]);
    assert.deepEqual(state.keys(), ['b']);
  });

  it('writes at once what waits for a write, and says of each value whether it was written', async () => {
    const editor = new EditorState();
    const state = new OrderedState(editor);
    const first = state.update('a', 1);
    await setImmediate();
    const more = [state.update('b', 2), state.update('c', 3)];
    await first;
    editor.fails = true;
    const outcomes = await Promise.allSettled(more);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(editor.writes, 2);
    editor.fails = false;
    await state.update('d', 4);
    assert.equal(editor.stored.d, 4);
  });
});
