import type { RequestUrl } from '../model/service/endpoints.ts';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';
import { withTimeLimit } from './timeLimit.ts';
import type { Transport } from './transport.ts';

/**
 * Sends requests with a `fetch`. In the extension host the global one uses the editor's own network stack, which
 * knows PAC files and Kerberos proxies.
 */
export function createFetchTransport(fetch: typeof globalThis.fetch): Transport {
  return withTimeLimit(async ({ method, url, headers, body, signal }) => {
    // guard: what was checked is what is sent
    refuseChanged(url);
    const response = await fetch(url.href, {
      method,
      headers,
      signal,
      // guard: no redirect is followed
      redirect: 'manual',
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    return {
      status: response.status,
      headers: joined(response.headers),
      body: response.body ?? new Blob([]).stream(),
    };
  });
}

/** Throws if fetch, which parses the address again, would change it: what was checked and shown is what is sent. */
function refuseChanged({ href }: RequestUrl): void {
  if (new URL(href).href === href) return;
  throw new UserError(
    t(
      'The editor would change the address of this call. Write %27 for an apostrophe, or set "runhook.http.transport" to "undici".',
    ),
    { remedies: [{ kind: 'openSettings', ids: ['http.transport'] }] },
  );
}

/** Fetch joins the values of every header except `Set-Cookie`. */
function joined(headers: Headers): Record<string, string> {
  const cookies = headers.getSetCookie();
  return {
    ...Object.fromEntries(headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies.join(', ') }),
  };
}
