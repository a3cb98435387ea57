/** Where the deliveries of one app are forwarded to; without an address they are kept, and not forwarded. */
export interface Route {
  appName: string;
  to?: string;
}

/** Where arriving deliveries are forwarded to. All addresses have passed `Destinations`. */
export interface Routing {
  routes?: readonly Route[];
  /** Those without a route; absent where they are not forwarded. */
  forwardTo?: string;
}

/** Where a delivery is forwarded to; undefined where it is not. */
export function routeOf(
  appName: string | undefined,
  { routes = [], forwardTo }: Routing,
): string | undefined {
  const own = routes.find((route) => route.appName === appName);
  return own === undefined ? forwardTo : own.to;
}

/** Whether deliveries are forwarded to that address. */
export function isRouted(to: string, { routes = [], forwardTo }: Routing): boolean {
  return to === forwardTo || routes.some((route) => route.to === to);
}
