import { once } from 'node:events';
import { connect } from 'node:net';
import { type Clock, delay } from '../../shared/async/clock.ts';

/** The pause between two attempts, in milliseconds. */
const pauseMs = 100;

/**
 * Waits until something accepts connections at an address.
 * @returns whether something does within `limitMs`
 * @throws the signal's reason if it is aborted
 */
export async function untilListening(
  to: URL,
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = clock.now() + limitMs;
  for (;;) {
    const timeout = AbortSignal.timeout(Math.max(0, end - clock.now()));
    if (await takesConnection(to, AbortSignal.any([signal, timeout]))) return true;
    signal.throwIfAborted();
    if (clock.now() + pauseMs >= end) return false;
    await delay(clock, pauseMs, signal);
  }
}

/** Whether something accepts connections at an address. Until the signal is aborted it may take its time to do so. */
export async function takesConnection(
  { hostname, port, protocol }: URL,
  signal: AbortSignal,
): Promise<boolean> {
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
  });
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
