import type { Forward } from '../model/delivery.ts';
import type { KeptDelivery } from './record.ts';
import { networkReason, sendRequest } from './sendRequest.ts';

/** How many deliveries are handed on at a time. The local app may sit at a breakpoint: others wait their turn. */
const atOnce = 32;

/** Hands deliveries on to the user's local app. */
export class Forwarder {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  readonly #ended = new AbortController();

  /** @param now a clock in milliseconds that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Sends the delivery as it came; never rejects. There is no time limit, since the app may be in a debugger.
   * @param load reads the delivery when its turn has come, so that those that wait take no memory
   */
  async forward(forwardTo: string, load: () => KeptDelivery): Promise<Forward> {
    await this.#turn();
    const started = this.#now();
    const durationMs = (): number => Math.round(this.#now() - started);
    let to = forwardTo;
    try {
      const delivery = load();
      const url = forwardUrl(forwardTo, delivery.path);
      to = url.href;
      const { method, rawHeaders, body } = delivery;
      const signal = this.#ended.signal;
      const { status, start } = await sendRequest({ url, method, rawHeaders, body, signal });
      return { to, status, durationMs: durationMs(), ...(start !== '' && { answer: start }) };
    } catch (error) {
      return { to, durationMs: durationMs(), error: networkReason(error) };
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Breaks off what is under way. */
  close(): void {
    this.#ended.abort(new Error('The listener has ended.'));
  }

  async #turn(): Promise<void> {
    while (this.#running >= atOnce) await new Promise<void>((next) => this.#waiting.push(next));
    this.#running += 1;
  }
}

/**
 * Where a delivery goes: an address with a path of its own is the handler's; to one without, the path of the
 * delivery is added. The query of the delivery goes along either way.
 * @param path the request target of the delivery
 */
export function forwardUrl(forwardTo: string, path: string): URL {
  const url = new URL(forwardTo);
  const came = new URL(path.startsWith('/') ? `http://listener${path}` : 'http://listener/');
  if (url.pathname === '/') url.pathname = came.pathname;
  // Joined as they stand: `searchParams` would write %20 as a plus.
  url.search = [url.search.slice(1), came.search.slice(1)].filter((query) => query !== '').join('&');
  return url;
}
