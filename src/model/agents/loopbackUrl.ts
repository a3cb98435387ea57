import { typedAddress } from '../routes/typedAddress.ts';
import { isLoopback } from '../service/loopback.ts';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

/** Parses an address on this machine: a model must not have anything signed and sent elsewhere. */
export function loopbackUrl(text: string): URL {
  const url = typedAddress(text);
  // guard S113: A model can send only to this machine.
  if (isLoopback(url.hostname)) return url;
  throw new UserError(
    t('{0} is not on this machine: a language model may send to 127.0.0.1 or localhost.', url.origin),
  );
}
