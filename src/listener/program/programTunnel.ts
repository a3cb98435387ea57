import { setTimeout as delay } from 'node:timers/promises';
import { maskSecrets } from '../../model/masking/masking.ts';
import { t } from '../../model/text/l10n.ts';
import type { TunnelProgram, TunnelState } from '../../model/processes/tunnelState.ts';
import { UserError } from '../../model/text/userError.ts';
import { cloudflared } from '../tunnels/cloudflared.ts';
import { ngrok } from '../tunnels/ngrok.ts';
import { Tunnel, tunnelTimes } from '../tunnels/tunnel.ts';

const adapters = { cloudflared, ngrok };
/** How much of a line of its program is put into the log. */
const mostOfLine = 400;

export interface ProgramTunnelOptions {
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
}

/** The one tunnel of a listener program: it goes on without windows, and ends with the program and its port. */
export class ProgramTunnel {
  readonly #options: ProgramTunnelOptions;
  #state: TunnelState = { kind: 'closed' };
  /** Undefined where no program of a tunnel runs, nor is started again. */
  #tunnel: Tunnel | undefined;
  #opened: Promise<string> = Promise.resolve('');

  constructor(options: ProgramTunnelOptions) {
    this.#options = options;
  }

  get state(): TunnelState {
    return this.#state;
  }

  /** Whether strangers may get through: from before its program is started until that has ended. */
  get isPublic(): boolean {
    return this.#tunnel !== undefined;
  }

  /**
   * Opens it; gives the one that is open or opens already.
   * @param command the path of the tunnel's program
   * @throws UserError where no secret is held, TunnelError where there is no tunnel
   */
  async open(program: TunnelProgram, command: string): Promise<string> {
    if (this.#state.kind === 'opening' || this.#state.kind === 'open') return this.#opened;
    await this.close();
    // Another window may have been first.
    this.#opened = this.#tunnel === undefined ? this.#start(program, command) : this.#opened;
    return this.#opened;
  }

  /** Ends its program, and waits for it. */
  async close(): Promise<void> {
    if (this.#tunnel !== undefined) await this.#tunnel.close();
    else if (this.#state.kind !== 'closed') this.#set({ kind: 'closed' });
  }

  async #start(program: TunnelProgram, command: string): Promise<string> {
    const { guardFile, holdsSecret, say } = this.#options;
    const port = this.#options.port();
    if (port === undefined) throw new Error('There is no tunnel to a listener that does not listen.');
    // guard: none opens while no secret is held
    if (!holdsSecret())
      throw new UserError(t('No tunnel is opened without a webhook secret. Set one first.'));
    const tunnel = new Tunnel({
      ...tunnelTimes,
      ...{ adapter: adapters[program], command, guardFile, port },
      delay: (ms, signal) => delay(ms, undefined, { signal }),
      now: () => Date.now(),
      // guard: what looks like a secret is taken out of its lines
      onLine: (line) => say(`${program}: ${maskSecrets(line).slice(0, mostOfLine)}`),
      onState: (state) => {
        if (this.#tunnel === tunnel) this.#set(state);
      },
    });
    this.#tunnel = tunnel;
    return tunnel.open();
  }

  #set(state: TunnelState): void {
    this.#state = state;
    if (state.kind === 'closed' || state.kind === 'failed') this.#tunnel = undefined;
    this.#options.say(`The tunnel is ${state.kind}.`);
    this.#options.onState(state);
  }
}
