import * as v from 'valibot';
import type { RelayLosses } from '../deliveries/relayProtocol.ts';
import type { Engine } from './engine.ts';

/** How many places are collected at most before they are noted. */
const mostCollected = 5000;

const takenSchema = v.array(v.number());
const fullSchema = v.number();

/**
 * What channels lose while nobody reads them. The engine drops what is too old without a word, so each relay notes the
 * places of what it has taken, a channel at a time: of those that are too old, the ones beyond what was read were lost.
 * What a relay that is killed has not noted yet is missing in the count.
 */
export class Losses {
  readonly #engine: Engine;
  readonly #taken = new Map<string, Set<number>>();
  readonly #full = new Map<string, number>();
  #collected = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#timer = setInterval(() => void this.#note(), engine.limits.noteMs).unref();
  }

  taken(channel: string, seq: number): void {
    const seqs = this.#taken.get(channel) ?? new Set();
    this.#taken.set(channel, seqs.add(seq));
    this.#collected += 1;
    if (this.#collected > mostCollected) void this.#note();
  }

  turnedAway(channel: string): void {
    this.#full.set(channel, (this.#full.get(channel) ?? 0) + 1);
  }

  /** What a channel has lost and was not told of before; undefined if nothing. Told once. */
  async of(channel: string): Promise<RelayLosses | undefined> {
    await this.#note();
    const { settledUntil = 0 } = (await this.#engine.state(channel)) ?? {};
    const oldest = Date.now() - this.#engine.limits.keptMs;
    const taken = await this.#engine.notes('taken', channel);
    let aged = 0;
    let next: number | undefined;
    for (const { seq, at, value } of taken) {
      const unread = v.parse(takenSchema, value).filter((one) => one > settledUntil);
      if (unread.length > 0 && at >= oldest) break;
      aged += unread.length;
      next = seq + 1;
    }
    if (next !== undefined) await this.#engine.removeNotes('taken', channel, next);
    const full = await this.#engine.notes('full', channel);
    if (full.length > 0) await this.#engine.removeNotes('full', channel);
    const turnedAway = full.reduce((sum, { value }) => sum + v.parse(fullSchema, value), 0);
    return aged + turnedAway === 0 ? undefined : { aged, turnedAway };
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#note();
  }

  /** A note that fails is left out: the count is too low then. */
  async #note(): Promise<void> {
    const taken = [...this.#taken].map(([channel, seqs]) => this.#engine.note('taken', channel, [...seqs]));
    const full = [...this.#full].map(([channel, count]) => this.#engine.note('full', channel, count));
    this.#taken.clear();
    this.#full.clear();
    this.#collected = 0;
    await Promise.allSettled([...taken, ...full]);
  }
}
