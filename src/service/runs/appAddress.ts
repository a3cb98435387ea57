/** Precedes the name of an app at the end of the path. */
const mark = '/runhook/';

/** The longest name of an app, in UTF-16 units. Encoded, each unit takes at most nine characters. */
const longestName = 200;

/**
 * The address that a run gives to the service. Its path ends with the name of the app, so that a delivery without a
 * run id can still be assigned to its app. If no path can hold the name, the address stays unchanged.
 * @param endpoint of the listener; it may have a path of its own
 */
export function addressOfApp(endpoint: string, appName: string): string {
  const url = URL.parse(endpoint);
  if (url === null || !isName(appName)) return endpoint;
  url.pathname = `${url.pathname.replace(/\/$/, '')}${mark}${encodeURIComponent(appName)}`;
  return url.href;
}

/** The scheme and host of a request target in absolute form, which proxies may send (RFC 9112, section 3.2.2). */
const absoluteStart = /^https?:\/\/[^/?#]*/i;

/**
 * The inverse of {@link addressOfApp}: the path and query of a request target without the app, and the app. Anybody
 * can write a path, and it is not signed: the name tells where a delivery belongs, but never that it is authentic.
 */
export function splitAppPath(requestTarget: string): { path: string; appName?: string } {
  const target = originForm(requestTarget);
  const end = target.search(/[?#]/);
  const [pathname, query] = end < 0 ? [target, ''] : [target.slice(0, end), target.slice(end)];
  const at = pathname.lastIndexOf(mark);
  const appName = at < 0 ? undefined : nameIn(pathname.slice(at + mark.length).replace(/\/$/, ''));
  return appName === undefined
    ? { path: target }
    : { path: `${pathname.slice(0, at) || '/'}${query}`, appName };
}

function originForm(target: string): string {
  const path = target.replace(absoluteStart, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

function nameIn(segment: string): string | undefined {
  if (segment.length > 9 * longestName || segment.includes('/')) return undefined;
  try {
    const name = decodeURIComponent(segment);
    return isName(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path can hold the name. `.` and `..` cannot be parts of a path, however they are encoded. */
function isName(name: string): boolean {
  return (
    /^[^\p{Cc}]+$/u.test(name) && name.length <= longestName && name.isWellFormed() && !/^\.\.?$/.test(name)
  );
}
