import { failureText } from '../../model/service/failureReason.ts';
import type { TunnelState } from '../../model/processes/tunnelState.ts';
import { TunnelError } from './tunnelError.ts';
import { TunnelProcess, type TunnelProcessOptions } from './tunnelProcess.ts';

export interface TunnelOptions extends TunnelProcessOptions {
  /** The waits in milliseconds before the program is started again; no more starts than there are waits. */
  restartAfterMs: readonly number[];
  /** A program that stayed open so long, in milliseconds, gets all its starts back. */
  steadyAfterMs: number;
  /** Waits; rejects when the signal aborts. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  now: () => number;
  onState: (state: TunnelState) => void;
}

/** How a program that had opened its tunnel ended. */
interface Death {
  reason: string;
  /** How long the tunnel was open, in milliseconds. */
  afterMs: number;
  final: boolean;
}

/** Times of the real thing, in milliseconds. cloudflared asks its service first, which may take a while. */
export const tunnelTimes = {
  openWithinMs: 60_000,
  settleMs: 15_000,
  killAfterMs: 3000,
  restartAfterMs: [1000, 2000, 5000, 10_000, 30_000],
  steadyAfterMs: 5 * 60_000,
} as const;

/** A tunnel to the listener by a program of the user's: started again when it dies, within bounds. */
export class Tunnel {
  readonly #options: TunnelOptions;
  readonly #closing = new AbortController();
  #process: TunnelProcess | undefined;
  #watched: Promise<void> = Promise.resolve();

  constructor(options: TunnelOptions) {
    this.#options = options;
  }

  /**
   * Starts the program and resolves with the public address.
   * @throws TunnelError where there is no tunnel; the program has ended then
   */
  async open(): Promise<string> {
    const provider = this.#options.adapter.program;
    this.#tell({ kind: 'opening', provider });
    try {
      const started = await this.#start();
      this.#watched = this.#watch(started);
      return await started.opened;
    } catch (error) {
      this.#tell({ kind: 'failed', provider, reason: failureText(error) });
      throw error;
    }
  }

  /** Ends the program, and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#process?.close();
    await this.#watched;
    this.#options.onState({ kind: 'closed' });
  }

  /** Resolves when the tunnel is open. */
  async #start(): Promise<TunnelProcess> {
    const started = new TunnelProcess(this.#options);
    this.#process = started;
    try {
      const publicUrl = await started.opened;
      this.#tell({ kind: 'open', provider: this.#options.adapter.program, publicUrl });
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  /** Starts the program again each time that it dies, until its starts are used up. */
  async #watch(first: TunnelProcess): Promise<void> {
    const { adapter, restartAfterMs, steadyAfterMs } = this.#options;
    let starts = 0;
    let death = await this.#death(first);
    while (!this.#closing.signal.aborted) {
      if (death.afterMs >= steadyAfterMs) starts = 0;
      const waitMs = death.final ? undefined : restartAfterMs[starts];
      if (waitMs === undefined) break;
      starts += 1;
      this.#tell({ kind: 'reopening', provider: adapter.program, attempt: starts, reason: death.reason });
      death = await this.#restart(waitMs);
    }
    this.#tell({ kind: 'failed', provider: adapter.program, reason: death.reason });
  }

  /** Starts the program after a wait, and resolves when it has died again. */
  async #restart(waitMs: number): Promise<Death> {
    const { delay } = this.#options;
    try {
      await delay(waitMs, this.#closing.signal);
      this.#closing.signal.throwIfAborted();
      return await this.#death(await this.#start());
    } catch (error) {
      return {
        reason: failureText(error),
        afterMs: 0,
        final: error instanceof TunnelError && error.final,
      };
    }
  }

  async #death(process: TunnelProcess): Promise<Death> {
    const openedAt = this.#options.now();
    const reason = await process.ended;
    return { reason, afterMs: this.#options.now() - openedAt, final: false };
  }

  /** Once it is being closed, only that is told. */
  #tell(state: TunnelState): void {
    if (!this.#closing.signal.aborted) this.#options.onState(state);
  }
}
