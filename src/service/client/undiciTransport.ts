import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import type * as Undici from './undici/undici.cjs';
import { loadOnce } from '../../shared/async/loadOnce.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import { unusableProxy, withTimeLimit } from './timeLimit.ts';
import type { Transport } from './transport.ts';

/** How to reach the network. The editor fills it from VS Code's `http.*` settings. */
export interface NetworkOptions {
  /** `off` ignores every proxy, including those of the environment. */
  proxySupport: 'on' | 'off';
  /** A proxy for every address; if absent, that of the environment (`HTTPS_PROXY` …). */
  proxy?: string;
  /** Hosts that are reached without the proxy; if absent, the environment's `NO_PROXY`. */
  noProxy?: readonly string[];
  /** The value of the header `Proxy-Authorization`. */
  proxyAuthorization?: string;
  /** `false` accepts any certificate. */
  strictSsl: boolean;
  /** Whether certificates that the operating system trusts count as well. */
  systemCertificates: boolean;
}

export interface UndiciTransport {
  readonly send: Transport;
  /** Closes idle connections; those in use may finish. */
  close(): Promise<void>;
}

/** undici dispatchers: `direct` for this machine, `proxied` for all other hosts; an error where the proxy cannot be one. */
export interface Dispatchers {
  direct: Dispatcher;
  proxied: Dispatcher | Error;
}

/** Sends requests with undici. It is loaded by the first request, since loading would slow down the activation. */
export function createUndiciTransport(options: NetworkOptions): UndiciTransport {
  const dispatchers = loadOnce(async () => makeDispatchers(await import('./undici/undici.cjs'), options));
  return {
    send: dispatcherTransport(dispatchers),
    async close() {
      const { direct, proxied } = (await dispatchers.forget()) ?? {};
      await direct?.close();
      if (proxied !== direct && !(proxied instanceof Error)) await proxied?.close();
    },
  };
}

export function dispatcherTransport(dispatchers: () => Promise<Dispatchers>): Transport {
  return withTimeLimit(async ({ method, url, headers, body, signal }) => {
    const { direct, proxied } = await dispatchers();
    // As in VS Code itself, requests to this machine never go through a proxy.
    const dispatcher = isLoopback(url.hostname) ? direct : proxied;
    if (dispatcher instanceof Error) throw dispatcher;
    // Not `undici.request`, which would parse the address again.
    // guard S82: No redirect is followed.
    const response = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers,
      body: body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { status: response.statusCode, headers: joined(response.headers), body: response.body };
  });
}

/** How long a connection is kept for the next request. */
const idleMs = 1000;

function makeDispatchers(undici: typeof Undici, options: NetworkOptions): Dispatchers {
  const connect = {
    // guard S95: Certificates are checked as the editor checks them.
    rejectUnauthorized: options.strictSsl,
    ...(options.systemCertificates && {
      ca: [...getCACertificates('default'), ...getCACertificates('system')],
    }),
  };
  const shared = {
    // Many services and proxies support HTTP/2 badly, and nothing here gains from it.
    allowH2: false,
    connect,
    // An idle connection is closed before any server does so, or a run that is sent meanwhile would be lost. undici's timers
    // of more than a second go slower than time where the process is busy.
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  };
  const direct = new undici.Agent(shared);
  if (options.proxySupport === 'off') return { direct, proxied: direct };
  try {
    const proxied = new undici.EnvHttpProxyAgent({
      ...shared,
      requestTls: connect,
      proxyTls: connect,
      ...(options.proxy !== undefined && { httpProxy: options.proxy, httpsProxy: options.proxy }),
      ...(options.noProxy && { noProxy: options.noProxy.join(',') }),
      ...(options.proxyAuthorization !== undefined && { token: options.proxyAuthorization }),
    });
    return { direct, proxied };
  } catch (error) {
    return { direct, proxied: unusableProxy(error) };
  }
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
