import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ExpiryNotice } from '../../../../src/editor/projects/expiryNotice.ts';
import { MemoryMemento } from '../../../support/editor/memoryMemento.ts';

/** The global state of several windows. As in the editor, a change in one window reaches the others later. */
class SharedStates {
  readonly #windows: MemoryMemento[] = [];
  #onTheWay: { from: MemoryMemento; key: string; value: unknown }[] = [];

  /** The state for another window. */
  open(): vscode.Memento {
    const own = new MemoryMemento();
    this.#windows.push(own);
    return {
      keys: () => own.keys(),
      get: <T>(key: string, fallback?: T) => own.get(key, fallback),
      update: async (key, value) => {
        await own.update(key, value);
        this.#onTheWay.push({ from: own, key, value });
      },
    };
  }

  /** Delivers the pending changes to all other windows. */
  async deliver(): Promise<void> {
    const arrived = this.#onTheWay.splice(0);
    for (const { from, key, value } of arrived) {
      for (const window of this.#windows) if (window !== from) await window.update(key, value);
    }
  }
}

const day = 24 * 60 * 60 * 1000;

describe('the notice of what expires, in several windows', () => {
  let states: SharedStates;
  /** Which window has the focus; undefined while another program has it. */
  let focused: number | undefined;
  let windows: ExpiryNotice[];
  let now: number;

  beforeEach(() => {
    states = new SharedStates();
    focused = 0;
    windows = [0, 1, 2].map((index) => new ExpiryNotice(states.open(), () => focused === index));
    now = Date.parse('2026-11-20T12:00:00Z');
  });

  /** Which windows show it, when all of them look at the same moment. */
  async function look(): Promise<number[]> {
    const shown = await Promise.all(windows.map((window) => window.take(now)));
    return shown.flatMap((one, index) => (one ? [index] : []));
  }

  it('is shown by one of those that start at the same moment, and by none after it', async () => {
    assert.deepEqual(await look(), [0]);
    await states.deliver();
    for (focused of [0, 1, 2]) assert.deepEqual(await look(), []);
  });

  it('waits for a window to have the focus', async () => {
    focused = undefined;
    assert.deepEqual(await look(), []);
    focused = 2;
    assert.deepEqual(await look(), [2]);
  });

  it('is shown again a day later, in whichever window has the focus then', async () => {
    await look();
    await states.deliver();
    focused = 1;
    now += day - 1;
    assert.deepEqual(await look(), []);
    now += 1;
    assert.deepEqual(await look(), [1]);
  });

  it('is shown once where one window looks twice at once', async () => {
    const [window] = windows;
    assert.deepEqual(await Promise.all([window!.take(now), window!.take(now)]), [true, false]);
  });

  it('is shown though the clock was set back by more than a day', async () => {
    await look();
    now -= 2 * day;
    assert.deepEqual(await look(), [0]);
  });

  it('is never shown again in any window once one was told so', async () => {
    await look();
    await windows[0]!.forgo();
    await states.deliver();
    now += 3 * day;
    for (focused of [0, 1, 2]) assert.deepEqual(await look(), []);
  });
});
