import { t } from '../../shared/text/l10n.ts';

/**
 * Where a response leads instead, and what to do about it; undefined for one that is no redirect. None is followed, since
 * the token would go there.
 * @param url of the request
 * @param location the header
 */
export function redirectText(url: URL, status: number, location: string | undefined): string | undefined {
  if (location === undefined || status < 300 || status >= 400) return undefined;
  const target = URL.parse(location, url.href);
  if (target === null) return undefined;
  if (target.origin === url.origin) {
    return t('{0} redirects to {1} ({2}). Check the address.', url.host, target.pathname, status);
  }
  return t(
    '{0} redirects to {1} ({2}). The token was not sent there: set that address if it is correct.',
    url.host,
    target.origin,
    status,
  );
}
