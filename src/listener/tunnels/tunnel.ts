import { setTimeout as delay } from 'node:timers/promises';
import { maskSecrets } from '../../model/masking/masking.ts';
import type { TunnelProgram, TunnelState } from '../../model/processes/tunnelState.ts';
import { failureText } from '../../model/service/failureReason.ts';
import { t } from '../../model/text/l10n.ts';
import { UserError } from '../../model/text/userError.ts';
import { cloudflared } from './cloudflared.ts';
import { ngrok } from './ngrok.ts';
import { TunnelProcess } from './tunnelProcess.ts';

const adapters = { cloudflared, ngrok };
/** How much of a line of its program is put into the log. */
const mostOfLine = 400;

const wait = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal });

/** Times of the real thing, in milliseconds. cloudflared asks its service first, which may take a while. */
export const tunnelTimes = {
  openWithinMs: 60_000,
  settleMs: 15_000,
  killAfterMs: 3000,
  /** The waits before the program is started again; no more starts than there are waits. */
  restartAfterMs: [1000, 2000, 5000, 10_000, 30_000],
  /** A program that stayed open so long gets all its starts back. */
  steadyAfterMs: 5 * 60_000,
};

export interface TunnelOptions {
  /** The bundle of tunnelGuard, which tunnel programs run under. */
  guardFile: string;
  /** Where the listener listens; undefined where it does not. */
  port: () => number | undefined;
  /** Whether a secret is held that verifies now. */
  holdsSecret: () => boolean;
  /** Told of each state, and before the tunnel's program is started. */
  onState: (state: TunnelState) => void;
  /** Says a line for the log. */
  say: (line: string) => void;
  times?: typeof tunnelTimes;
  /** Waits; rejects when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A tunnel from its opening on, over all starts of its program. */
interface Run {
  closing: AbortController;
  opened: PromiseWithResolvers<string>;
  process?: TunnelProcess;
  /** Resolves when no program runs, nor will be started again. */
  ended: Promise<void>;
}

/** The one tunnel to a listener, by a program of the user's: started again when it dies, within bounds. */
export class Tunnel {
  readonly #options: TunnelOptions;
  #state: TunnelState = { kind: 'closed' };
  #run: Run | undefined;

  constructor(options: TunnelOptions) {
    this.#options = options;
  }

  get state(): TunnelState {
    return this.#state;
  }

  /** Whether strangers may get through: from before its program is started until that has ended. */
  get isPublic(): boolean {
    return this.#run !== undefined;
  }

  /**
   * Opens it; gives the address of the one that is open or opens already.
   * @param command the path of the tunnel's program
   * @throws UserError where no secret is held, or there is no tunnel: its program has ended then
   */
  async open(program: TunnelProgram, command: string): Promise<string> {
    if (this.#state.kind !== 'opening' && this.#state.kind !== 'open') await this.close();
    // Another window may have been first.
    this.#run ??= this.#start(program, command);
    return this.#run.opened.promise;
  }

  /** Ends its program, and waits for it. */
  async close(): Promise<void> {
    const run = this.#run;
    run?.closing.abort();
    await run?.process?.close();
    await run?.ended;
    if (this.#run === run && this.#state.kind !== 'closed') this.#set({ kind: 'closed' });
  }

  #start(program: TunnelProgram, command: string): Run {
    const { holdsSecret, guardFile, say, times = tunnelTimes } = this.#options;
    const port = this.#options.port();
    if (port === undefined) throw new Error('There is no tunnel to a listener that does not listen.');
    // guard: none opens while no secret is held
    if (!holdsSecret())
      throw new UserError(t('No tunnel is opened without a webhook secret. Set one first.'), {
        remedies: [{ kind: 'setWebhookSecret' }],
      });
    const run: Run = {
      closing: new AbortController(),
      opened: Promise.withResolvers(),
      ended: Promise.resolve(),
    };
    // From here on it is public.
    this.#run = run;
    this.#set({ kind: 'opening', provider: program });
    // guard: what looks like a secret is taken out of its lines
    const onLine = (line: string): void => say(`${program}: ${maskSecrets(line).slice(0, mostOfLine)}`);
    const options = { ...times, adapter: adapters[program], command, guardFile, port, onLine };
    run.ended = this.#keepOpen(run, program, () => new TunnelProcess(options));
    return run;
  }

  /** Starts the program, and again each time that it dies, until its starts are used up. */
  async #keepOpen(run: Run, provider: TunnelProgram, start: () => TunnelProcess): Promise<void> {
    const { times = tunnelTimes, pause = wait } = this.#options;
    const { signal } = run.closing;
    const isClosing = (): boolean => signal.aborted;
    let hasOpened = false;
    for (let starts = 0; ; starts += 1) {
      const death = await this.#once(run, provider, start());
      hasOpened ||= death.afterMs !== undefined;
      if ((death.afterMs ?? 0) >= times.steadyAfterMs) starts = 0;
      // What has not opened at once needs the user.
      const waitMs = hasOpened && !death.isFinal ? times.restartAfterMs[starts] : undefined;
      const { reason } = death;
      if (!isClosing()) {
        const attempt = starts + 1;
        this.#set(
          waitMs === undefined
            ? { kind: 'failed', provider, reason }
            : { kind: 'reopening', provider, attempt, reason },
        );
      }
      run.opened.reject(new UserError(reason, { remedies: [{ kind: 'tryAgain' }, { kind: 'showLog' }] }));
      if (waitMs === undefined) return;
      await pause(waitMs, signal).catch(() => undefined);
      if (isClosing()) return;
    }
  }

  /** @returns how it died: `afterMs` says how long the tunnel was open, where it was */
  async #once(
    run: Run,
    provider: TunnelProgram,
    process: TunnelProcess,
  ): Promise<{ reason: string; afterMs?: number; isFinal: boolean }> {
    run.process = process;
    try {
      const publicUrl = await process.opened;
      const openedAt = Date.now();
      if (!run.closing.signal.aborted) this.#set({ kind: 'open', provider, publicUrl });
      run.opened.resolve(publicUrl);
      return { reason: await process.ended, afterMs: Date.now() - openedAt, isFinal: false };
    } catch (error) {
      await process.close();
      return { reason: failureText(error), isFinal: process.isFinal };
    }
  }

  #set(state: TunnelState): void {
    this.#state = state;
    if (state.kind === 'closed' || state.kind === 'failed') this.#run = undefined;
    this.#options.say(`The tunnel is ${state.kind}.`);
    this.#options.onState(state);
  }
}
