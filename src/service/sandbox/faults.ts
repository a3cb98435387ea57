import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sandboxFaults } from '../../contract/values.ts';
import { isSandboxFault, type SandboxFault } from './sandboxFault.ts';
import { type Clock, delay } from '../../shared/async/clock.ts';
import { Refusal, unauthorized } from './refusal.ts';

/** The header of a call that asks for faults: their names, separated by commas, or `none`. */
export const faultHeader = 'x-sandbox-fault';

/** The faults that a call asks for, or else those switched on for all calls. @throws Refusal 400 */
export function faultsOf(
  request: IncomingMessage,
  switchedOn: ReadonlySet<SandboxFault>,
): ReadonlySet<SandboxFault> {
  const header = request.headers[faultHeader];
  if (header === undefined) return switchedOn;
  const names = header.toString().toLowerCase().split(',');
  const faults = new Set<SandboxFault>();
  for (const name of names.map((one) => one.trim())) {
    if (isSandboxFault(name)) faults.add(name);
    else if (name !== 'none') {
      throw new Refusal(
        400,
        `There is no fault "${name}". Choose from ${sandboxFaults.join(', ')}, or none.`,
      );
    }
  }
  return faults;
}

const latencyMs = 1000;
const slowMs = 5000;

/**
 * Applies the faults that affect the response to a call.
 * @param hasWebhook whether the call has a webhook: then `hang` and `slow` affect the webhook instead
 * @throws Refusal with the requested status; any other error if the caller has disconnected
 */
export async function applyFaults(
  faults: ReadonlySet<SandboxFault>,
  hasWebhook: boolean,
  response: ServerResponse,
  clock: Clock,
): Promise<void> {
  if (faults.size === 0) return;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (faults.has('hang') && !hasWebhook) {
    await once(response, 'close');
    gone.signal.throwIfAborted();
  }
  if (faults.has('latency')) await delay(clock, latencyMs, gone.signal);
  if (faults.has('slow') && !hasWebhook) await delay(clock, slowMs, gone.signal);
  if (faults.has('401')) throw unauthorized(asked(401));
  if (faults.has('403')) throw new Refusal(403, asked(403));
  if (faults.has('404')) throw new Refusal(404, asked(404));
  if (faults.has('429')) throw new Refusal(429, asked(429), { 'Retry-After': '1' });
  if (faults.has('500')) throw new Refusal(500, asked(500));
}

function asked(status: number): string {
  return `The sandbox was asked to return ${status}.`;
}
