import type { ReceivedProbe } from '../../model/processes/listenerProtocol.ts';

/**
 * Probes that this machine sends to its own public address. They are known by a word that they carry in many
 * places, since the way there may have changed any of them; they are not deliveries, and not kept.
 */
export class Probes {
  readonly #expected = new Map<string, ReceivedProbe | undefined>();

  expect(nonce: string): void {
    this.#expected.set(nonce, undefined);
  }

  /** Whether the request is a probe; if so, it is noted. */
  take(probe: ReceivedProbe): boolean {
    for (const [nonce, received] of this.#expected) {
      if (received !== undefined || !carries(probe, nonce)) continue;
      this.#expected.set(nonce, probe);
      return true;
    }
    return false;
  }

  get areExpected(): boolean {
    return this.#expected.size > 0;
  }

  /** What arrived; the probe is not expected any longer. */
  collect(nonce: string): ReceivedProbe | undefined {
    const received = this.#expected.get(nonce);
    this.#expected.delete(nonce);
    return received;
  }
}

function carries({ headers, path, body }: ReceivedProbe, nonce: string): boolean {
  const texts = [path, ...Object.values(headers), Buffer.from(body, 'base64').toString('latin1')];
  return texts.some((text) => text.includes(nonce));
}
