import { looksLikeToken } from './keys/token.ts';
import { refuseWebsocket } from './runs/runUrl.ts';
import { httpUrl, serviceUrl } from './endpoints.ts';
import { isLoopback } from '../shared/http/loopback.ts';
import { type Remedy, UserError } from '../shared/text/userError.ts';
import { t } from '../shared/text/l10n.ts';
import { plainText } from '../shared/text/plainText.ts';

interface TypedAddressOptions {
  /** The scheme of a host elsewhere, where none was typed. */
  elsewhere?: 'http' | 'https';
  remedies?: readonly Remedy[];
}

/** The longest address, in characters. */
const longest = 8192;

/** The parts of an address, as far as they were typed. */
const form =
  /^(?<start>(?<scheme>https?):\/\/|\/\/)?(?<host>\[[\da-f:.]+\]|(?:[\w.-]|\P{ASCII})*)(?::(?<port>\d+))?(?<rest>[/?#].*)?$/iu;

/**
 * An address as people type it, in the editor, in the settings and on the command line. `localhost:3000` needs no
 * scheme, and a bare number is a port of this machine: `4100`, `:4100/hook`. What a URL parser would read as another
 * machine than the one that stands there is refused: `127.1`, `4300:5`. So is a single word, which is rather a name or
 * a secret than a machine.
 * @throws UserError that says why a text is not such an address
 */
export function typedAddress(
  typed: string,
  { elsewhere = 'http', remedies = [] }: TypedAddressOptions = {},
): URL {
  const text = typed.trim();
  const shown = plainText(text, 100);
  const refused = (message = t('"{0}" is not an http or https address.', shown)): UserError =>
    // guard S122: An address with a password is not repeated.
    new UserError(text.includes('@') ? noUserInfo() : message, { remedies });
  refuseWebsocket(shown);
  const isNone = text.length > longest || looksLikeToken(text);
  const parts = isNone ? undefined : form.exec(text)?.groups;
  if (parts === undefined) throw refused();
  const { start, scheme, host = '', port, rest = '' } = parts;
  const isPort = start === undefined && port === undefined && /^\d+$/.test(host);
  const isOfHere = isPort || (start === undefined && host === '' && port !== undefined);
  const [name, number] = isOfHere ? ['localhost', port ?? host] : [host, port];
  if (number !== undefined && !(Number(number) >= 1 && Number(number) <= 65535)) {
    throw refused(t('{0} is not a port: the highest is 65535.', plainText(number, 20)));
  }
  if (scheme === undefined && !namesMachine(name, number)) throw refused();
  const authority = number === undefined ? name : `${name}:${number}`;
  const url = httpUrl(`http://${authority}`);
  if (url === undefined || name === '' || /^\.|\.\./.test(url.hostname)) throw refused();
  // guard S72: The address means the machine that is written there.
  if (/^[\d.]+$/.test(url.hostname) && url.hostname !== name) {
    throw refused(
      t('"{0}" would be read as the machine {1}. Enter that if you mean it.', shown, url.hostname),
    );
  }
  const meant = scheme ?? (isLoopback(url.hostname) ? 'http' : elsewhere);
  const address = new URL(`${meant}://${authority}${rest}`);
  // Nobody is sent a fragment, or a query without a text.
  address.hash = '';
  if (address.search === '') address.search = '';
  return address;
}

/** Whether a host without a scheme is one. A word alone could be anything, and `http:3000` is half an address. */
function namesMachine(host: string, port: string | undefined): boolean {
  if (/^https?$/i.test(host)) return false;
  return port !== undefined || /[.[]/.test(host) || host.toLowerCase() === 'localhost';
}

/** The address of a service as people type it, as it is kept; empty for an empty text. Tokens are sent there. */
export function typedServiceAddress(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  // Says why a user name has no place there.
  if (httpUrl(text) !== undefined) serviceUrl(text, '');
  return plainAddress(typedAddress(text, { elsewhere: 'https' }));
}

/** The address in a setting, which people write by hand; undefined if it is none. */
export function writtenAddress(setting: string): URL | undefined {
  try {
    return typedAddress(setting);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function noUserInfo(): string {
  return t('Leave out the user name and the password: they do not belong in settings.');
}

/** An address as it is kept and shown: without the slash of an empty path. */
export function plainAddress({ origin, pathname, href, search }: URL): string {
  return pathname === '/' && search === '' ? origin : href;
}
