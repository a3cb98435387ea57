import { parseHttpUrl } from '../service/endpoints.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

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
