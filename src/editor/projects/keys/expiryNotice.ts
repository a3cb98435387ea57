import type * as vscode from 'vscode';

const key = 'expiryNotice';
const dayMs = 24 * 60 * 60 * 1000;

/** What was told before. */
interface History {
  /** When the last notice was shown, in milliseconds since 1970. */
  lastShownAt?: number;
  /** The user wants none. */
  never?: boolean;
}

/**
 * The notice of what expires soon: one a day at most, whichever window shows it. Windows share their state, but what
 * one writes reaches another only after a moment. So the window that has the focus shows it: of those of a machine
 * at most one has it, and it is the one that somebody looks at.
 */
export class ExpiryNotice {
  readonly #state: vscode.Memento;
  readonly #hasFocus: () => boolean;

  /** @param state of all windows */
  constructor(state: vscode.Memento, hasFocus: () => boolean) {
    this.#state = state;
    this.#hasFocus = hasFocus;
  }

  /**
   * Whether this window is to show it now; if so, no window does for a day.
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

  /** The user wants none any more. */
  async forgo(): Promise<void> {
    await this.#state.update(key, { ...this.#state.get<History>(key, {}), never: true } satisfies History);
  }
}
