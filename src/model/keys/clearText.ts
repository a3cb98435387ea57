import type { Service } from '../service/endpoints.ts';
import { isLoopback } from '../service/loopback.ts';

/** The origins of a service to which tokens and secrets are sent unencrypted, readable by others on the way. */
export function originsInClear({ baseUrl, proxyUrl }: Service): string[] {
  const urls = [baseUrl, proxyUrl].flatMap((address) => URL.parse(address) ?? []);
  // guard S73: An `http://` address of another machine is warned of.
  const inClear = urls.filter(({ protocol, hostname }) => protocol === 'http:' && !isLoopback(hostname));
  return [...new Set(inClear.map(({ origin }) => origin))];
}
