import { ServiceError, UnreachableError } from '../../service/client/errors.ts';
import { PortTakenError } from './retryPort.ts';
import { addressesRemedy } from '../../service/endpoints.ts';
import { mendedBy, type Remedy, type UserError } from '../../shared/text/userError.ts';
import { settingIds } from './ids.ts';

/**
 * Has the remedy of a rejected token ask for that of this account: another one may be in use by then. Changes nothing
 * of any other error. @returns the error
 */
export function mendedByToken(error: unknown, ref: { projectId: string; serviceAccountId: string }): unknown {
  const isRejected = error instanceof ServiceError && error.refusesToken;
  return isRejected ? mendedBy(error, [{ kind: 'setToken', ...ref }, { kind: 'openApiKeysPage' }]) : error;
}

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
  // What else the service rejects, it would reject again. It knows the path, so its address is right.
  return [400, 409, 422].includes(error.status) ? [] : [addressesRemedy];
}
