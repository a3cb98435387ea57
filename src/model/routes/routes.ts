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
