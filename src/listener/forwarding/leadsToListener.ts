import { networkInterfaces } from 'node:os';
import type { Remote } from '../../webhooks/deliveries/sendRequest.ts';

/**
 * Whether a connection leads to the listener itself: to its port on this machine, by whatever name it was made.
 * @param ownPort undefined if the listener does not listen
 */
export function leadsToListener({ address, port }: Remote, ownPort: number | undefined): boolean {
  if (port !== ownPort) return false;
  // IPv6 writes an IPv4 address behind a prefix, and a link-local one with the name of its network.
  const plain = address.replace(/^::ffff:/i, '').replace(/%.*$/, '');
  if (plain.startsWith('127.') || plain === '::1') return true;
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === plain));
}
