import { subscribe } from 'node:diagnostics_channel';
import { causes } from '../model/service/errorCauses.ts';

/** What undici, and with it `fetch`, says of a connection that could not be made. */
interface ConnectError {
  error: unknown;
  connectParams: { host: string };
}

const hosts = new WeakMap<object, string>();

subscribe('undici:client:connectError', (message) => {
  const { error, connectParams } = message as ConnectError;
  // That of the way to a proxy is reported first, and once more as that of the way through it.
  if (error instanceof Error && !hosts.has(error)) hosts.set(error, connectParams.host);
});

/** The host, and the port if it has one, that a connection could not be made to; undefined for other failures. */
export function failedHost(error: unknown): string | undefined {
  for (const one of causes(error)) {
    const host = hosts.get(one);
    if (host !== undefined) return host;
  }
  return undefined;
}
