import { splitAppPath } from '../runs/appAddress.ts';

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
