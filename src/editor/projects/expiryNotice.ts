import type * as vscode from 'vscode';

const key = 'expiryNotice';
const dayMs = 24 * 60 * 60 * 1000;

/** What is remembered about earlier notices. */
interface History {
  /** When the last notice was shown, in milliseconds since 1970. */
  lastShownAt?: number;
  /** Whether the user has turned the notice off. */
  never?: boolean;
}

/**
 * Limits the notice of what expires soon to one a day across all windows. Windows share their state, but a write
 * reaches the other windows only after a moment. So only the window with the focus shows the notice: at most one
 * window of a machine has it, and that is the one the user looks at.
 */
export class ExpiryNotice {
  readonly #state: vscode.Memento;
  readonly #hasFocus: () => boolean;

  /** @param state shared by all windows */
  constructor(state: vscode.Memento, hasFocus: () => boolean) {
    this.#state = state;
    this.#hasFocus = hasFocus;
  }

  /**
   * Returns whether this window should show the notice now. If so, no window shows it for a day.
   * @param now milliseconds since 1970
   */
  async take(now: number): Promise<boolean> {
    const history = this.#state.get<History>(key, {});
    const { never, lastShownAt } = history;
    if (never === true || !this.#hasFocus()) return false;
    if (lastShownAt !== undefined && Math.abs(now - lastShownAt) < dayMs) return false;
    await this.#state.update(key, { ...history, lastShownAt: now } satisfies History);
    return true;
  }

  /** Turns the notice off for good. */
  async forgo(): Promise<void> {
    await this.#state.update(key, { ...this.#state.get<History>(key, {}), never: true } satisfies History);
  }
}
