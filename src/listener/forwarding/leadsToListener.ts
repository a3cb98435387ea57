import { networkInterfaces } from 'node:os';
import { isLoopbackAddress } from '../../shared/http/loopback.ts';
import type { Remote } from '../../deliveries/localTls.ts';

/**
 * Whether a connection leads to the listener itself: to its port on this machine, by whatever name it was made.
 * @param ownPort undefined if the listener does not listen
 */
export function leadsToListener({ address, port }: Remote, ownPort: number | undefined): boolean {
  if (port !== ownPort) return false;
  if (isLoopbackAddress(address)) return true;
  // IPv6 writes an IPv4 address behind a prefix, and a link-local one with the name of its network.
  const plain = address.replace(/^::ffff:/i, '').replace(/%.*$/, '');
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === plain));
}
