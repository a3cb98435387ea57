import { decodings } from '../masking/decodings.ts';
import { parseHttpUrl } from '../service/endpoints.ts';
import { plainText } from '../text/plainText.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/** More than a question can show. */
const most = 5;

/** An address whose host nobody reads in two ways: no user name, nothing that is encoded, no letters but ASCII. */
const plainAddress = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?#]|$)/i;

/**
 * The addresses that a call has its result sent to (service-interface.md, section 4.3), by any reading of it: that
 * of the document first, then those of servers that care less for case, separators and how often it is encoded.
 * @param pathname of the call, as it is sent
 * @param search of the call, as it is sent
 * @throws UserError for an address that is none, or may be read in two ways, and for more than can be shown
 */
export function resultAddresses(pathname: string, search: string): URL[] {
  const written = search.slice(1).split('&');
  const strict = decodings(search.slice(1)).flatMap((one) => one.split('&'));
  const lenient = decodings(pathname + search).flatMap((one) => one.split(/[?&;#]/));
  const found = new Map<string, URL>();
  for (const [index, parameter] of [...written, ...strict, ...lenient].entries()) {
    const at = parameter.indexOf('=');
    if (!isEndpoint(at < 0 ? parameter : parameter.slice(0, at))) continue;
    const address = addressOf(at < 0 ? '' : parameter.slice(at + 1));
    const text = decodings(address.href).at(-1) ?? address.href;
    // Another reading may see the beginning of an address alone, and who sees all of it sees that.
    const isSeen = index >= written.length && [...found.keys()].some((one) => one.startsWith(text));
    if (!isSeen) found.set(text, address);
    if (found.size > most) {
      throw new UserError(t('The query names more than {0} addresses for the result. Remove some.', most));
    }
  }
  return [...found.values()];
}

/** `webhookEndpoint`, `Webhook_Endpoint`, `webhookEndpoint[]`, … */
function isEndpoint(name: string): boolean {
  const [bare = ''] = name.split(/[[\0]/, 1);
  const letters = bare
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
  // guard: each address that the file names, by any reading
  return letters === 'WEBHOOKENDPOINT';
}

/** The address of a value, which is encoded once, or as often as it takes. */
function addressOf(value: string): URL {
  const once = strictlyDecoded(value) ?? value;
  let text = value;
  // Until it has a scheme nobody takes it for an address.
  while (!/^[^%]*:(?!%)/.test(text)) {
    const next = strictlyDecoded(text);
    if (next === undefined || next === text) break;
    text = next;
  }
  // guard: one that may be read in two ways is refused
  const url = plainAddress.test(text) ? URL.parse(text === value ? once : text) : null;
  if (url !== null) return url;
  const shown = plainText(once, 300);
  refuseWebsocket(shown);
  throw new UserError(
    t(
      'The query names "{0}" for the result, which is not an http or https address with a plain host.',
      shown,
    ),
  );
}

function strictlyDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * An address that the service can send a result to: absolute, http or https.
 * @throws UserError for anything else; a websocket address is refused with the reason (service-interface.md,
 *   section 4.3: "Only HTTP requests are forwarded; websocket connections are not")
 */
export function webhookEndpoint(text: string): URL {
  refuseWebsocket(text);
  return parseHttpUrl(text);
}

/** @throws UserError where the address is one of a websocket */
export function refuseWebsocket(address: string): void {
  if (!/^\s*wss?:/i.test(address)) return;
  throw new UserError(
    t(
      '"{0}" is a websocket address. The service forwards HTTP requests only: use an http or https address.',
      address,
    ),
  );
}
