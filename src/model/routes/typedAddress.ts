import { refuseWebsocket } from '../runs/resultAddresses.ts';
import { parseHttpUrl } from '../service/endpoints.ts';
import { t } from '../text/l10n.ts';
import { plainText } from '../text/plainText.ts';
import { UserError } from '../text/userError.ts';

/**
 * The address of a local app as people type it: `localhost:3000` and `3000` are completed.
 * @throws UserError that says why a text is not such an address
 */
export function typedAddress(typed: string): URL {
  const text = typed.trim();
  const shown = plainText(text, 100);
  refuseWebsocket(shown);
  const address = /^:?\d+$/.test(text) ? `localhost:${text.replace(':', '')}` : text;
  const url = withScheme(address);
  const port = /^[a-z]+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(url)?.[1];
  if (Number(port) > 65535)
    throw new UserError(t('{0} is not a port: the highest is 65535.', plainText(port ?? '', 20)));
  const parsed = parseHttpUrl(url, shown);
  if (parsed.username === '' && parsed.password === '') return parsed;
  throw new UserError(t('Leave out the user name and the password: settings are no place for them.'));
}

function withScheme(address: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
}

/** An address as it is kept and shown: without the slash of an empty path. */
export function plainAddress({ origin, pathname, href, search }: URL): string {
  return pathname === '/' && search === '' ? origin : href;
}
