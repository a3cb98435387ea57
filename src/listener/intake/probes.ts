import type { IncomingMessage } from 'node:http';
import type { Verdict } from '../../model/deliveries/delivery.ts';
import type { ReceivedProbe } from '../../model/processes/listenerProtocol.ts';
import { headersOf } from '../../webhooks/signature/rawHeaders.ts';

/**
 * Probes that this machine sends to its own public address. A probe carries a nonce in several places, since a proxy
 * on the way may change any of them. Probes are not deliveries, and are not stored.
 */
export class Probes {
  readonly #expected = new Map<string, ReceivedProbe | undefined>();

  expect(nonce: string): void {
    this.#expected.set(nonce, undefined);
  }

  /** Returns whether the request is an expected probe, and records it if so. */
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

  /** Returns what arrived, if anything, and stops expecting the probe. */
  collect(nonce: string): ReceivedProbe | undefined {
    const received = this.#expected.get(nonce);
    this.#expected.delete(nonce);
    return received;
  }
}
