import type { RequestUrl } from '../endpoints.ts';
import { causes } from '../../shared/http/failureReason.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';
import { withTimeLimit } from './timeLimit.ts';
import { encodingsIn } from '../encoding/decodedBody.ts';
import { EncodingError } from '../encoding/decoders.ts';
import type { Transport, TransportResponse } from './transport.ts';

/**
 * Sends requests with a `fetch`. In the extension host the global one uses the editor's own network stack, which
 * knows PAC files and Kerberos proxies.
 */
export function createFetchTransport(fetch: typeof globalThis.fetch): Transport {
  return withTimeLimit(async ({ method, url, headers, body, signal }) => {
    // guard S52: The address that was checked is the address that is sent.
    refuseChanged(url);
    const response = await fetch(url.href, {
      method,
      headers,
      signal,
      // guard S82: No redirect is followed.
      redirect: 'manual',
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const encodings = encodingsIn(response.headers.get('content-encoding') ?? '');
    const answer = decoded(response.body ?? new Blob([]).stream(), encodings.join(', '));
    const read = encodings.includes('zstd')
      ? await seen(answer, encodings.at(-1) ?? '')
      : { body: answer, isDecoded: encodings.every((one) => ofFetch.has(one)) };
    return { status: response.status, headers: joined(response.headers), ...read };
  });
}

/** What each fetch decodes by itself. Whether it knows zstd depends on the version of Node and of the editor. */
const ofFetch = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

/** The body, with an error that says so where fetch could not decode it. */
async function* decoded(body: AsyncIterable<Uint8Array>, named: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    const isBroken = [...causes(error)].some(
      (one) => 'code' in one && /^(?:Z_|ERR_BROTLI|ZSTD)/.test(String(one.code)),
    );
    if (named === '' || !isBroken) throw error;
    throw new EncodingError(t('The body cannot be fully decoded ({0}). {1}', named, t('It is corrupt.')), {
      cause: error,
    });
  }
}

/** How bodies begin that are still encoded. */
const marks: Readonly<Record<string, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
};

/** Looks whether a body is decoded. @param last the encoding that was applied last */
async function seen(
  body: AsyncGenerator<Uint8Array>,
  last: string,
): Promise<Pick<TransportResponse, 'body' | 'isDecoded'>> {
  const first = await body.next();
  const bytes = first.done === true ? [] : first.value;
  const isDecoded = !(marks[last]?.every((byte, at) => bytes[at] === byte) ?? false);
  return { body: from(first, body), isDecoded };
}

async function* from(
  first: IteratorResult<Uint8Array, unknown>,
  body: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (first.done !== true) yield first.value;
  yield* body;
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
