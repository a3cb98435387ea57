import { isEncodedTooOften, decodings } from '../../shared/http/decodings.ts';
import { appPath, leavesItsPlace, type RequestUrl, serviceUrl, parseHttpUrl } from '../endpoints.ts';
import { plainText } from '../../shared/text/plainText.ts';
import { t } from '../../shared/text/l10n.ts';
import { UserError } from '../../shared/text/userError.ts';

type QueryValue = string | number | boolean;

/** Query parameters; a list sends its parameter several times. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

/** What decides where a call to an app goes, as the user wrote it. */
export interface RunPlace {
  projectId: string;
  appName: string;
  /** What follows the app's name, as it stands in a URL: `run`, `v1/chat?stream=1`. */
  path: string;
  /** Appended to the query of the path. */
  query?: Query;
}

/** Where a call to an app goes. This is what is checked, shown and sent; nothing parses its text again. */
export interface RunUrl extends RequestUrl {
  /** Where the service sends the result, besides its answer. */
  readonly resultAddresses: readonly URL[];
}

/**
 * The URL of a call to an app through the proxy (service-interface.md, section 4.3). It is below the app, however it
 * is interpreted. The query of the path stays as written, but characters that no URL can hold are percent-encoded.
 * @throws UserError if the call would leave the app, or could not be sent as written
 */
export function runUrl(proxyUrl: string, place: RunPlace): RunUrl {
  const { projectId, appName, path, query = {} } = place;
  refuseWebsocket(proxyUrl);
  refuseWebsocket(path);
  const end = path.indexOf('?');
  const [pathname, written] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end + 1)];
  // guard S52: The call is below its app by any reading of the path, or it is refused.
  refuseUnsendable(path, pathname);
  const app = serviceUrl(proxyUrl, appPath(projectId, appName));
  const url = new URL(app);
  url.pathname += pathname.replace(/^\//, '');
  // The URL parser removes what it takes for `.` and `..`, so the path is checked before and after parsing.
  if (!url.pathname.startsWith(app.pathname) || leavesItsPlace(pathname) || leavesItsPlace(url.pathname)) {
    throw new UserError(
      t(
        'The path "{0}" leaves the app: it cannot contain "." or ".." as a part, however they are written.',
        plainText(path, 300),
      ),
    );
  }
  const search = joined(percentEncoded(written), ...parameters(query));
  const href = `${url.origin}${url.pathname}${search}`;
  if (isEncodedTooOften(href)) {
    throw new UserError(t('The address of this call is percent-encoded too many times. Write it plainly.'));
  }
  const { origin, host, hostname } = url;
  const addresses = resultAddresses(url.pathname, search);
  return { origin, host, hostname, pathname: url.pathname, search, href, resultAddresses: addresses };
}

/**
 * The call with its result sent to an address, which is encoded once and appended to the query.
 * @throws UserError if the query names a different address: a call has only one
 */
export function withWebhook(url: RunUrl, endpoint: string): RunUrl {
  const address = webhookEndpoint(endpoint);
  if (url.resultAddresses.length === 0) {
    const search = joined(url.search.slice(1), `webhookEndpoint=${encoded(address.href)}`);
    return { ...url, search, href: `${url.origin}${url.pathname}${search}`, resultAddresses: [address] };
  }
  if (url.resultAddresses.some(({ href }) => href === address.href)) return url;
  throw new UserError(
    t('The query has its own address for the response. Remove it, or run without the other webhook.'),
  );
}

function refuseUnsendable(path: string, pathname: string): void {
  const shown = plainText(path, 300);
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) {
    throw new UserError(
      t('The path "{0}" contains a character that no address can have, such as a tab. Remove it.', shown),
    );
  }
  if (path.includes('#')) {
    throw new UserError(
      t('The path "{0}" contains a "#", which is not sent. Write %23, or remove it.', shown),
    );
  }
  if (pathname.includes('\\')) {
    throw new UserError(t('The path "{0}" contains a backslash. Write "/" between its parts.', shown));
  }
}

/** `name=value` of each parameter. */
function parameters(query: Query): string[] {
  const all = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((one) => [name, String(one)]),
  );
  if (!all.flat().every((one) => one.isWellFormed())) {
    throw new UserError(t('The query contains half a character, which no address can have. Remove it.'));
  }
  return all.map((pair) => pair.map(encoded).join('='));
}

/** A query as written, with the characters that no URL can hold percent-encoded as UTF-8. */
function percentEncoded(written: string): string {
  return written.replace(/[^\x21-\x7e]|["<>]/gu, encodeURIComponent);
}

/** A value encoded for a query. It includes apostrophes, which the URL parser would otherwise encode later. */
function encoded(value: string): string {
  return encodeURIComponent(value).replaceAll("'", '%27');
}

function joined(...parts: readonly string[]): string {
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? '' : `?${query}`;
}

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
      throw new UserError(t('The query names more than {0} addresses for the response. Remove some.', most));
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
      'The query names "{0}" for the response, which is not an http or https address with a plain host.',
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
