import assert from 'node:assert/strict';
import { ServiceError, UnreachableError } from '../../../../src/client/errors.ts';
import { PortTakenError } from '../../../../src/client/program/retryPort.ts';
import { remediesOf } from '../../../../src/editor/kit/defaultRemedies.ts';
import { UserError } from '../../../../src/model/text/userError.ts';

const kinds = (error: UserError): string[] => remediesOf(error).map(({ kind }) => kind);

describe('what mends an error that does not say so itself', () => {
  const cases: [what: string, error: UserError, remedies: string[]][] = [
    ['a token that is refused', new ServiceError('no', 401), ['setToken', 'openApiKeysPage']],
    ['a token that may not do this', new ServiceError('no', 403), ['setToken', 'openApiKeysPage']],
    ['an app that the service does not know', new ServiceError('no', 404), ['openSettings']],
    ['a service that has too much to do', new ServiceError('no', 429), ['tryAgain']],
    ['a service that fails', new ServiceError('no', 503), ['tryAgain']],
    [
      'a service that cannot be reached now',
      new UnreachableError('no', { passing: true }),
      ['tryAgain', 'openSettings'],
    ],
    ['an address that nobody has', new UnreachableError('no', { passing: false }), ['openSettings']],
    ['a port that is taken', new PortTakenError('no'), ['useAnotherPort', 'openSettings']],
    ['what nobody can mend', new UserError('no'), []],
  ];
  for (const [what, error, remedies] of cases) {
    it(`${what}: ${remedies.join(', ') || 'nothing'}`, () => assert.deepEqual(kinds(error), remedies));
  }

  it('is never asked of one that says so', () => {
    const error = new ServiceError('no', 401);
    error.remedies = [{ kind: 'startSandbox' }];
    assert.deepEqual(kinds(error), ['startSandbox']);
  });
});
