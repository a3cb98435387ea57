import type { Forward } from '../../model/deliveries/delivery.ts';
import type { KeptDelivery } from '../../webhooks/deliveries/keptDelivery.ts';
import { networkReason, sendRequest } from '../../webhooks/deliveries/sendRequest.ts';

/**
 * How many deliveries are handed on at a time, and how many bytes of bodies; a larger one alone. The local app may
 * sit at a breakpoint: others wait their turn.
 */
const atOnce = { deliveries: 32, bytes: 64 * 1024 * 1024 };

interface Waiting {
  bytes: number;
  start: () => void;
}

/** Hands deliveries on to the user's local app. */
export class Forwarder {
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  #running = 0;
  /** Of the bodies that are being handed on. */
  #bytes = 0;
  readonly #ended = new AbortController();

  /** @param now a clock in milliseconds that only goes forward */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Sends the delivery as it came; never rejects. There is no time limit, since the app may be in a debugger.
   * @param bytes the size of the body
   * @param load reads the delivery when its turn has come, so that those that wait take no memory
   */
  async forward(forwardTo: string, bytes: number, load: () => KeptDelivery): Promise<Forward> {
    await this.#turn(bytes);
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
      this.#bytes -= bytes;
      this.#startWaiting();
    }
  }

  /** Breaks off what is under way. */
  close(): void {
    this.#ended.abort(new Error('The listener has ended.'));
  }

  #turn(bytes: number): Promise<void> {
    return new Promise((start) => {
      this.#waiting.push({ bytes, start });
      this.#startWaiting();
    });
  }

  /** Starts the first that there is room for: a small one does not wait for a large one. */
  #startWaiting(): void {
    for (;;) {
      const at = this.#waiting.findIndex(({ bytes }) => this.#hasRoom(bytes));
      const [next] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (next === undefined) return;
      this.#running += 1;
      this.#bytes += next.bytes;
      next.start();
    }
  }

  #hasRoom(bytes: number): boolean {
    if (this.#running >= atOnce.deliveries) return false;
    // guard: No more than 64 MB are handed on at a time
    return this.#bytes === 0 || this.#bytes + bytes <= atOnce.bytes;
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
