import { endpointFor, type Listening } from '../../../model/processes/listenerState.ts';
import { t } from '../../../model/text/l10n.ts';
import { UserError } from '../../../model/text/userError.ts';
import { config } from '../../config.ts';

/** Under which address strangers reach the listener, if they do: an open tunnel's, else that of the settings. */
export class PublicAddress {
  /** That of an open tunnel. */
  tunnelUrl: string | undefined;
  /** That of a codespace is opened, or about to be. Of a tunnel of its own the program knows by itself. */
  isTunnelled = false;

  get url(): string | undefined {
    return this.tunnelUrl ?? (config.publicUrl() || undefined);
  }

  /** Whether the program has to be told that strangers reach it. */
  get isPublic(): boolean {
    return this.isTunnelled || config.publicUrl() !== '';
  }
}

/** Where the service of a proxy reaches the listener. @throws UserError where it does not */
export function reachableEndpoint(proxyHost: string, listening: Listening): string {
  const endpoint = endpointFor(proxyHost, listening);
  if (endpoint !== undefined) return endpoint;
  throw new UserError(
    t('The service cannot reach {0}. Open a tunnel, or set "runhook.listener.publicUrl".', listening.url),
  );
}
