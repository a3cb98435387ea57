import { ServiceError, UnreachableError } from '../../service/client/errors.ts';
import { PortTakenError } from './retryPort.ts';
import { addressesRemedy } from '../../service/endpoints.ts';
import type { Remedy, UserError } from '../../shared/text/userError.ts';
import { settingIds } from './ids.ts';

/** The remedies of an expected error: its own, else the defaults for its kind. */
export function remediesOf(error: UserError): readonly Remedy[] {
  if (error.remedies.length > 0) return error.remedies;
  if (error instanceof PortTakenError) {
    return [{ kind: 'useAnotherPort' }, { kind: 'openSettings', ids: [settingIds.listenerPort] }];
  }
  if (error instanceof UnreachableError)
    return error.passing ? [{ kind: 'tryAgain' }, addressesRemedy] : [addressesRemedy];
  if (!(error instanceof ServiceError)) return [];
  if (error.refusesToken) return [{ kind: 'setToken' }, { kind: 'openApiKeysPage' }];
  // Where the token lacks a right, somebody grants it at the service.
  if ([403, 429].includes(error.status) || error.status >= 500) return [{ kind: 'tryAgain' }];
  // A request that the service rejects for another reason would be rejected again: no retry.
  return [addressesRemedy];
}
