import { ServiceError, UnreachableError } from '../../service/client/errors.ts';
import { PortTakenError } from './retryPort.ts';
import { addressesRemedy, type Service } from '../../service/endpoints.ts';
import type { AccountRef } from '../../service/projects/project.ts';
import { mendedBy, type Remedy, UserError } from '../../shared/text/userError.ts';
import { settingIds } from './ids.ts';

/**
 * Has the default remedies of a failed call ask for the token of this account, as another one may be in use by then, and
 * for the addresses of its project, where it has addresses of its own: the settings of all are not in force there.
 * @returns the error
 */
export function mendedFor(
  error: unknown,
  ref: AccountRef,
  projects: { ownService(projectId: string): Service | undefined },
): unknown {
  if (!(error instanceof UserError)) return error;
  const { projectId } = ref;
  const hasOwn = projects.ownService(projectId) !== undefined;
  const remedies = remediesOf(error).map((one): Remedy => {
    if (one.kind === 'setToken') return { ...one, ...ref };
    return hasOwn && one === addressesRemedy ? { kind: 'setAddress', projectId } : one;
  });
  return mendedBy(error, remedies);
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
