import { splitAppPath } from '../runs/appAddress.ts';

/**
 * Where a delivery goes: an address with a path of its own is the handler's; to one without, the path of the
 * delivery is added, without the app that a run has put there. The query of the delivery goes along either way.
 * @param path the request target of the delivery
 */
export function forwardUrl(forwardTo: string, path: string): URL {
  const url = new URL(forwardTo);
  const own = splitAppPath(path).path;
  const came = new URL(own.startsWith('/') ? `http://listener${own}` : 'http://listener/');
  if (url.pathname === '/') url.pathname = came.pathname;
  // Joined as they stand: `searchParams` would write %20 as a plus.
  url.search = [url.search.slice(1), came.search.slice(1)].filter((query) => query !== '').join('&');
  return url;
}
