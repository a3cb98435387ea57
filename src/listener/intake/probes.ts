import type { IncomingMessage } from 'node:http';
import type { Verdict } from '../../model/deliveries/delivery.ts';
import type { ReceivedProbe } from '../../model/processes/listenerProtocol.ts';
import { headersOf } from '../../webhooks/signature/rawHeaders.ts';

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
  take(request: IncomingMessage, body: Buffer, verdict: Verdict): boolean {
    if (this.#expected.size === 0) return false;
    const headers = headersOf(request.rawHeaders);
    const path = request.url ?? '';
    const texts = [path, ...Object.values(headers), body.toString('latin1')];
    for (const [nonce, received] of this.#expected) {
      if (received !== undefined || !texts.some((text) => text.includes(nonce))) continue;
      this.#expected.set(nonce, { path, headers, body: body.toString('base64'), verdict });
      return true;
    }
    return false;
  }

  /** What arrived; the probe is not expected any longer. */
  collect(nonce: string): ReceivedProbe | undefined {
    const received = this.#expected.get(nonce);
    this.#expected.delete(nonce);
    return received;
  }
}
