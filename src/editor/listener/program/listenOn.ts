import { config } from '../../config.ts';
import { anyPort, reloadWaitsMs, retryPort, retryWaitsMs } from '../../../client/program/retryPort.ts';
import type { ProgramHost } from './programHost.ts';

export interface PortWish {
  /** The port that is asked for; undefined for that of the settings. */
  wanted: number | undefined;
  /** The port that it had, which is taken again rather than any other. */
  before: number | undefined;
  /** Whether a program that ends may still have the port, for a few seconds. */
  isComingBack: boolean;
}

/**
 * Has the program listen, and gives the port.
 * @throws PortTakenError where another program has the port
 */
export async function listenOn(
  host: ProgramHost,
  { wanted, before, isComingBack }: PortWish,
): Promise<number> {
  const asked = wanted ?? config.listenerPort();
  const waitsMs = isComingBack ? reloadWaitsMs : retryWaitsMs;
  const listen = (on: number) => host.ask('listen', { port: on });
  const had = wanted === undefined ? before : undefined;
  const { port } = await (asked === 0 ? anyPort(had, listen) : retryPort(asked, waitsMs, listen));
  return port;
}
