import { subscribe } from 'node:diagnostics_channel';
import { causes } from '../model/service/errorCauses.ts';

/** The message that undici, and so `fetch`, publishes for a connection that could not be made. */
interface ConnectError {
  error: unknown;
  connectParams: { host: string };
}

const hosts = new WeakMap<object, string>();

subscribe('undici:client:connectError', (message) => {
  const { error, connectParams } = message as ConnectError;
  // A failure to reach a proxy is reported first for the proxy, then again for the host behind it.
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
