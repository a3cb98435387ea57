import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import type * as Undici from './undici/undici.cjs';
import { isLoopback } from '../model/service/loopback.ts';
import { withTimeLimit } from './timeLimit.ts';
import type { Transport } from './transport.ts';

/** How to reach the network. The editor fills it from VS Code's `http.*` settings. */
export interface NetworkOptions {
  /** `off` ignores every proxy, those of the environment too. */
  proxySupport: 'on' | 'off';
  /** A proxy for every address; the environment's (`HTTPS_PROXY` …) where absent. */
  proxy?: string;
  /** Hosts that are reached without the proxy; the environment's `NO_PROXY` where absent. */
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
  /** Ends the connections that idle; those in use are left to finish. */
  close(): Promise<void>;
}

/** Where requests go: by the dispatcher given, or by ones that are made from the options at the first request. */
export type Route = { options: NetworkOptions } | { dispatcher: Dispatcher };

/** Requests by undici, which is loaded by the first one: it costs a moment that no activation should pay. */
export function createUndiciTransport(route: Route): UndiciTransport {
  let routes: Promise<Routes> | undefined;
  const send = withTimeLimit(async ({ method, url, headers, body, signal }) => {
    const undici = await import('./undici/undici.cjs');
    routes ??= Promise.resolve(
      'dispatcher' in route ? same(route.dispatcher) : makeRoutes(undici, route.options),
    );
    const { direct, proxied } = await routes;
    // As in VS Code itself, this machine is never reached through a proxy.
    const dispatcher = isLoopback(url.hostname) ? direct : proxied;
    // Not by `undici.request`, which would parse the address again.
    // guard: no redirect is followed
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
  return {
    send,
    async close() {
      if (routes === undefined || 'dispatcher' in route) return;
      const { direct, proxied } = await routes;
      await Promise.all([direct.close(), direct === proxied ? undefined : proxied.close()]);
    },
  };
}

interface Routes {
  direct: Dispatcher;
  proxied: Dispatcher;
}

function same(dispatcher: Dispatcher): Routes {
  return { direct: dispatcher, proxied: dispatcher };
}

function makeRoutes(undici: typeof Undici, options: NetworkOptions): Routes {
  const connect = {
    // guard: the check is the editor's
    rejectUnauthorized: options.strictSsl,
    ...(options.systemCertificates && {
      ca: [...getCACertificates('default'), ...getCACertificates('system')],
    }),
  };
  // Services and proxies that negotiate HTTP/2 half-heartedly are common, and nothing here gains by it.
  const shared = { allowH2: false, connect };
  const direct = new undici.Agent(shared);
  if (options.proxySupport === 'off') return same(direct);
  const proxied = new undici.EnvHttpProxyAgent({
    ...shared,
    requestTls: connect,
    proxyTls: connect,
    ...(options.proxy !== undefined && { httpProxy: options.proxy, httpsProxy: options.proxy }),
    ...(options.noProxy && { noProxy: options.noProxy.join(',') }),
    ...(options.proxyAuthorization !== undefined && { token: options.proxyAuthorization }),
  });
  return { direct, proxied };
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
