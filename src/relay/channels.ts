import { smallBytes } from '../listener/intake/incomingBody.ts';
import type { ChannelState, Engine } from './engine.ts';

/** Up to which age what is known of a channel is not waited for anew, in milliseconds. */
const staleMs = 5 * 60_000;
/** The same where a body is so large that it matters how many wait. */
const countFreshMs = 1000;

/** How many open channels are remembered. */
const mostRemembered = 50_000;
/** How many channels are asked for at a time: strangers may guess addresses. The engine answers some 10,000 a second. */
const mostAsked = 2000;

/** How many posts of a channel may wait for the engine at a time; half of the room for bodies is left to others. */
const mostUnderWay = 2048;
const mostSmallBytes = 8 * 1024 * 1024;
const mostLargeBytes = 24 * 1024 * 1024;

/** How many bytes of a size may wait in a channel: see {@link Channels.begin}. */
const mostBytesOfASize = 256 * 1024 * 1024;

/** For how long a full channel is not tried again, in milliseconds. */
const fullMs = 1000;

interface Known {
  /** When the engine said so, in milliseconds. */
  at: number;
  /** Undefined if the channel was closed, and posts still wait. */
  state: ChannelState | undefined;
  /** The posts that wait for the engine. */
  underWay: number;
  bytes: number;
  fullUntil: number;
}

/** Why a post is not taken. `busy`: this relay has enough to do with the posts of that channel, or of guessed ones. */
export type NotTaken = 'unknown' | 'full' | 'busy';

/** The channels that this relay has seen lately: the engine is not asked for each post. */
export class Channels {
  readonly #engine: Pick<Engine, 'state' | 'limits'>;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #asked = new Map<string, Promise<ChannelState | undefined>>();

  /** @param now a clock in milliseconds */
  constructor(engine: Pick<Engine, 'state' | 'limits'>, now: () => number) {
    this.#engine = engine;
    this.#now = now;
  }

  /** Whether a channel is open. Rejects if the engine cannot be asked and nothing is known. */
  async isOpen(channel: string): Promise<boolean> {
    return (await this.#stateOf(channel)) !== undefined;
  }

  /** The engine has said how a channel is. @param state undefined if it is not open */
  remember(channel: string, state: ChannelState | undefined): void {
    const known = this.#known.get(channel) ?? { underWay: 0, bytes: 0, fullUntil: 0 };
    // At the end again: the one that was not asked for longest is forgotten first.
    this.#known.delete(channel);
    // guard S174: A channel that is guessed leaves nothing, and so displaces none that is open.
    if (state === undefined && known.underWay === 0) return;
    this.#known.set(channel, Object.assign(known, { at: this.#now(), state }));
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest);
  }

  /**
   * A post begins to wait for the engine. The engine counts the deliveries of a channel, and not their bytes: the more
   * wait, the smaller is the largest body that is taken, so that all of them are at most some 2 GB.
   * @returns a function to call when it has ended, or why it is not taken
   */
  async begin(
    channel: string,
    bytes: number,
  ): Promise<NotTaken | ((end: 'kept' | 'full' | 'failed') => void)> {
    const isLarge = bytes > smallBytes;
    const state = await this.#stateOf(channel, isLarge ? countFreshMs : undefined).catch(
      () => 'busy' as const,
    );
    if (state === 'busy') return 'busy';
    const known = this.#known.get(channel);
    if (state === undefined || known === undefined) return 'unknown';
    // guard S142: A flood into one channel takes a bounded share of the relay and of the engine.
    if (known.fullUntil > this.#now()) return 'full';
    if (isLarge && (state.waiting + known.underWay) * bytes > mostBytesOfASize) return 'full';
    if (known.underWay >= mostUnderWay || known.bytes + bytes > (isLarge ? mostLargeBytes : mostSmallBytes))
      return 'busy';
    known.underWay += 1;
    known.bytes += bytes;
    return (end) => {
      known.underWay -= 1;
      known.bytes -= bytes;
      if (end === 'kept') state.waiting += 1;
      if (end === 'full') known.fullUntil = this.#now() + fullMs;
    };
  }

  async #stateOf(channel: string, freshMs = this.#engine.limits.knownMs): Promise<ChannelState | undefined> {
    const known = this.#known.get(channel);
    const age = this.#now() - (known?.at ?? Number.NEGATIVE_INFINITY);
    if (known?.state !== undefined && age < freshMs) return known.state;
    const asked = this.#ask(channel);
    if (known?.state === undefined) return asked;
    // What is known of an open channel will do while the engine is slow, or guesses keep it busy.
    const { state } = known;
    const askedOrKnown = asked.catch(() => state);
    return age < staleMs && freshMs !== countFreshMs ? state : askedOrKnown;
  }

  #ask(channel: string): Promise<ChannelState | undefined> {
    const before = this.#asked.get(channel);
    if (before !== undefined) return before;
    if (this.#asked.size >= mostAsked) return Promise.reject(new Error('Too many channels are asked for.'));
    const asked = this.#engine.state(channel).then((state) => {
      this.remember(channel, state);
      return state;
    });
    this.#asked.set(channel, asked);
    const done = (): void => void this.#asked.delete(channel);
    asked.then(done, done);
    return asked;
  }
}
