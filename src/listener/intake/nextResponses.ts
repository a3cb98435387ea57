import type { NextResponses } from '../../model/processes/listenerProtocol.ts';

/** The answers that the user has ordered for the next deliveries. */
export class ResponseQueue {
  #next: NextResponses = { response: 200, times: 0 };

  set(next: NextResponses): void {
    this.#next = { ...next };
  }

  /** The answer that was ordered for this delivery, if one was. */
  take(): NextResponses['response'] | undefined {
    if (this.#next.times <= 0) return undefined;
    this.#next.times -= 1;
    return this.#next.response;
  }
}
