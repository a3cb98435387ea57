import { splitAppPath } from '../../service/runs/appAddress.ts';

/** Where the deliveries of one app are forwarded to; without an address they are kept, and not forwarded. */
export interface Route {
  appName: string;
  to?: string;
}

/** Where arriving deliveries are forwarded to. All addresses have passed `Destinations`. */
export interface Routing {
  routes?: readonly Route[];
  /** The address for deliveries without a route; absent if they are not forwarded. */
  forwardTo?: string;
}

/** Where a delivery is forwarded to; undefined where it is not. */
export function routeOf(
  appName: string | undefined,
  { routes = [], forwardTo }: Routing,
): string | undefined {
  const ownRoute = routes.find((route) => route.appName === appName);
  return ownRoute === undefined ? forwardTo : ownRoute.to;
}

/** Whether deliveries are forwarded to that address. */
export function isRouted(to: string, { routes = [], forwardTo }: Routing): boolean {
  return to === forwardTo || routes.some((route) => route.to === to);
}

/**
 * The URL that a delivery is forwarded to. An address with its own path is the handler's. To one without, the path
 * of the delivery is added, without the app that a run has put there. The query of the delivery is always added.
 * @param path the request target of the delivery
 */
export function forwardUrl(forwardTo: string, path: string): URL {
  const url = new URL(forwardTo);
  const target = splitAppPath(path).path;
  const received = new URL(target.startsWith('/') ? `http://listener${target}` : 'http://listener/');
  if (url.pathname === '/') url.pathname = received.pathname;
  // Joined as text: `searchParams` would write %20 as a plus.
  url.search = [url.search.slice(1), received.search.slice(1)].filter((query) => query !== '').join('&');
  return url;
}
