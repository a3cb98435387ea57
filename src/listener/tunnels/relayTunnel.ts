import type { OpenedRelay, RelayAccess, TunnelState } from '../../deliveries/listenerProtocol.ts';
import type { RelayLosses } from '../../deliveries/relayProtocol.ts';
import type { Transport } from '../../service/client/transport.ts';
import { systemClock } from '../../shared/async/clock.ts';
import { RelayReader, type RelayReaderOptions } from './relayReader.ts';
import { Turns } from '../../shared/async/turns.ts';
import { t } from '../../shared/text/l10n.ts';
import { type Remedy, UserError } from '../../shared/text/userError.ts';

export interface RelayTunnelOptions {
  take: RelayReaderOptions['take'];
  /** Called with each state. */
  onState: (state: TunnelState) => void;
  onLosses: (losses: RelayLosses) => void;
  /** Writes a line to the log. */
  say: (line: string) => void;
}

/** A transport that can be closed. */
export interface RelayTransport {
  send: Transport;
  close: () => Promise<void>;
}

interface Open {
  access: RelayAccess;
  reader: RelayReader;
  transport: RelayTransport;
  opened: PromiseWithResolvers<OpenedRelay>;
}

function accessKey({ url, key, joinToken }: RelayAccess): string {
  return JSON.stringify([url, key, joinToken]);
}

/** The listener's reader of a relay, if it has one. Unlike other tunnels it lets nobody through to the port. */
export class RelayTunnel {
  readonly #options: RelayTunnelOptions;
  #state: TunnelState = { kind: 'closed' };
  #reader: Open | undefined;
  /** Opening and closing run one at a time. */
  readonly #turns = new Turns();

  constructor(options: RelayTunnelOptions) {
    this.#options = options;
  }

  get state(): TunnelState {
    return this.#state;
  }

  /**
   * Reads from a relay, in place of the one before. If that is the same, and is open or opening, it stays.
   * @param keepsTrying whether a relay that is away at first is tried again, as one that goes away later is
   * @returns its public address, once it is there, or that it asks for the token of its team
   * @throws UserError if it cannot be used
   */
  async open(access: RelayAccess, transport: RelayTransport, keepsTrying: boolean): Promise<OpenedRelay> {
    const { opened } = await this.#turns.next(async () => {
      const before = this.#reader;
      const isSame = before !== undefined && accessKey(before.access) === accessKey(access);
      if (isSame && (this.#state.kind === 'opening' || this.#state.kind === 'open')) {
        await transport.close();
        return before;
      }
      await this.#close();
      return (this.#reader = this.#start(access, transport, keepsTrying));
    });
    return opened.promise;
  }

  #start(access: RelayAccess, transport: RelayTransport, keepsTrying: boolean): Open {
    const { take, onLosses } = this.#options;
    const provider = 'relay';
    const opened = Promise.withResolvers<OpenedRelay>();
    let publicUrl: string | undefined;
    this.#set({ kind: 'opening', provider });
    const fail = (error: UserError): void => {
      opened.reject(error);
      this.#set({ kind: 'failed', provider, reason: error.message });
    };
    const reader = new RelayReader({
      ...access,
      ...{ transport: transport.send, clock: systemClock, take, onLosses },
      onOpen: (url) => {
        publicUrl = url;
        this.#set({ kind: 'open', provider, publicUrl });
        opened.resolve({ publicUrl });
      },
      onAway: (reason, attempt) => {
        if (publicUrl === undefined && !keepsTrying) {
          const text = t('The relay {0} is not available: {1}', new URL(access.url).host, reason);
          const remedies: Remedy[] = [{ kind: 'tryAgain' }, { kind: 'openSettings', ids: ['relay.url'] }];
          fail(new UserError(text, { remedies }));
          void this.#turns.next(() => this.#close());
        } else {
          this.#set({ kind: 'reopening', provider, attempt, reason, publicUrl });
        }
      },
      onRefused: (error) => {
        if (error.needsToken) opened.resolve({ needsToken: error.message });
        fail(error);
      },
    });
    return { access, reader, transport, opened };
  }

  /** Ends the reader: what it has read is stored and acknowledged. What comes then waits at the relay. */
  close(): Promise<void> {
    return this.#turns.next(async () => {
      await this.#close();
      // A failed relay would hide the tunnel that is opened after it.
      if (this.#state.kind === 'failed') this.#set({ kind: 'closed' });
    });
  }

  async #close(): Promise<void> {
    const open = this.#reader;
    if (open === undefined) return;
    this.#reader = undefined;
    open.opened.reject(new UserError(t('No tunnel was opened.')));
    await open.reader.close();
    await open.transport.close();
    if (this.#state.kind !== 'failed') this.#set({ kind: 'closed' });
  }

  #set(state: TunnelState): void {
    const why = 'reason' in state ? `: ${state.reason}` : '';
    if (state.kind !== 'reopening' || state.attempt === 1)
      this.#options.say(`The relay is ${state.kind}${why}`);
    this.#state = state;
    this.#options.onState(state);
  }
}
