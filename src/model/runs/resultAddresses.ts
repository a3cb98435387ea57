import { decodings } from '../service/decodings.ts';
import { parseHttpUrl } from '../service/endpoints.ts';
import { plainText } from '../text/plainText.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/** The maximum number of addresses that a question to the user can show. */
const most = 5;

/** An address with an unambiguous host: no user name, nothing encoded, and only ASCII letters. */
const plainAddress = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?#]|$)/i;

/**
 * The addresses that the result of a call is sent to (service-interface.md, section 4.3), by any interpretation: that
 * of the document first, then those of servers that are lenient about case, separators and repeated encoding.
 * @param pathname of the call, as it is sent
 * @param search of the call, as it is sent
 * @throws UserError for an invalid or ambiguous address, and for more addresses than can be shown
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
    // Another interpretation may cut an address short. It is not listed again: the whole address shows its beginning.
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
  // guard S54: Every address that the file names, by any reading, is found.
  return letters === 'WEBHOOKENDPOINT';
}

/** The address in a value that is encoded once, or several times. */
function addressOf(value: string): URL {
  const once = strictlyDecoded(value) ?? value;
  let text = value;
  // Nobody takes it for an address until it has a scheme.
  while (!/^[^%]*:(?!%)/.test(text)) {
    const next = strictlyDecoded(text);
    if (next === undefined || next === text) break;
    text = next;
  }
  // guard S54: An address that can be read in two ways is refused.
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

/** @throws UserError if the address is a websocket address */
export function refuseWebsocket(address: string): void {
  if (!/^\s*wss?:/i.test(address)) return;
  throw new UserError(
    t(
      '"{0}" is a websocket address. The service forwards HTTP requests only: use an http or https address.',
      address,
    ),
  );
}
