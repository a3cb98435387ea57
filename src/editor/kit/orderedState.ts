import type * as vscode from 'vscode';
import { Turns } from '../../shared/async/turns.ts';

/**
 * The state that all windows share, with one write at a time. The editor answers each write with the state that was
 * written, which replaces the one in memory: what was set meanwhile would be lost.
 */
export class OrderedState implements vscode.Memento {
  readonly #state: vscode.Memento;
  readonly #turns = new Turns();
  /** What the next write takes along. */
  readonly #waiting = new Map<string, unknown>();
  #next: Promise<void> | undefined;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  keys(): readonly string[] {
    const keys = new Set([...this.#state.keys(), ...this.#waiting.keys()]);
    return [...keys].filter((key) => this.get(key) !== undefined);
  }

  get<T>(key: string, fallback?: T): T {
    const value = this.#waiting.has(key) ? this.#waiting.get(key) : this.#state.get(key);
    return (value === undefined ? fallback : value) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    this.#waiting.set(key, value);
    return (this.#next ??= this.#turns.next(() => this.#write()));
  }

  async #write(): Promise<void> {
    const values = [...this.#waiting];
    this.#waiting.clear();
    this.#next = undefined;
    await Promise.all(values.map(([key, value]) => this.#state.update(key, value)));
  }
}
