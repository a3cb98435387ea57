import type { RequestUrl } from '../model/service/endpoints.ts';
import { t } from '../model/text/l10n.ts';
import { UserError } from '../model/text/userError.ts';
import { withTimeLimit } from './timeLimit.ts';
import type { Transport } from './transport.ts';

/**
 * Requests by a `fetch`. Inside the extension host the global one goes through the editor's own network
 * stack, which knows PAC files and Kerberos proxies.
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

/** Fetch parses the address once more; what it would write anew is not what was checked and shown. */
function refuseChanged({ href }: RequestUrl): void {
  if (new URL(href).href === href) return;
  throw new UserError(
    t(
      'The editor would change the address of this call. Write %27 for an apostrophe, or set "runhook.http.transport" to "undici".',
    ),
    { remedies: [{ kind: 'openSettings', ids: ['http.transport'] }] },
  );
}

/** Fetch joins the values of every header but one. */
function joined(headers: Headers): Record<string, string> {
  const cookies = headers.getSetCookie();
  return {
    ...Object.fromEntries(headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies.join(', ') }),
  };
}
