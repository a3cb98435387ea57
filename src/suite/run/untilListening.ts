import { once } from 'node:events';
import { connect } from 'node:net';
import { type Clock, delay } from '../../model/processes/clock.ts';

/** How long after one attempt the next is made, in milliseconds. */
const pauseMs = 100;

/**
 * Waits until something takes connections at an address.
 * @returns whether something does, in `limitMs`
 * @throws the signal's reason where it is aborted
 */
export async function untilListening(
  to: URL,
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = clock.now() + limitMs;
  for (;;) {
    signal.throwIfAborted();
    if (await takesConnection(to, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]))) return true;
    if (clock.now() + pauseMs >= end) return false;
    await delay(clock, pauseMs, signal);
  }
}

async function takesConnection({ hostname, port, protocol }: URL, signal: AbortSignal): Promise<boolean> {
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  });
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch {
    return false; // Nobody is there yet.
  } finally {
    socket.destroy();
  }
}
