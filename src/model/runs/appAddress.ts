/** What stands before the name of an app, at the end of the path. */
const mark = '/runhook/';

/** No app's name is longer, in UTF-16 units; encoded each of them takes nine characters at most. */
const longestName = 200;

/**
 * The address that a run hands to the service: its path ends with the name of the app, so that a delivery that names
 * no run says whose it is. One whose name no path can hold stays as it is.
 * @param endpoint of the listener; it may have a path of its own
 */
export function addressOfApp(endpoint: string, appName: string): string {
  const url = URL.parse(endpoint);
  if (url === null || !isName(appName)) return endpoint;
  url.pathname = `${url.pathname.replace(/\/$/, '')}${mark}${encodeURIComponent(appName)}`;
  return url.href;
}

/**
 * What {@link addressOfApp} has put together, taken apart again: the request target without the app, and the app. Anybody
 * can write a path, and it is not signed: the name says where a delivery belongs, and never that it is right.
 */
export function splitAppPath(target: string): { path: string; appName?: string } {
  const end = target.search(/[?#]/);
  const [pathname, query] = end < 0 ? [target, ''] : [target.slice(0, end), target.slice(end)];
  const at = pathname.lastIndexOf(mark);
  const appName = at < 0 ? undefined : nameIn(pathname.slice(at + mark.length).replace(/\/$/, ''));
  return appName === undefined
    ? { path: target }
    : { path: `${pathname.slice(0, at) || '/'}${query}`, appName };
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

/** A path cannot have `.` or `..` as a part of it, however they are encoded. */
function isName(name: string): boolean {
  return (
    /^[^\p{Cc}]+$/u.test(name) && name.length <= longestName && name.isWellFormed() && !/^\.\.?$/.test(name)
  );
}
