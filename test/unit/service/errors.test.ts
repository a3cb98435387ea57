import assert from 'node:assert/strict';
import { deniesAccess } from '../../../src/service/errorMessage.ts';
import { serviceAnswered } from '../../../src/service/client/errors.ts';

describe('whether a 403 is about access', () => {
  const denied = [
    'token has no access to this app',
    'The token may not use project "p-1".',
    'User is not authorized to access this resource',
    'Insufficient permissions',
    'Missing scope: apps.write',
    'Access denied',
    'You do not have the required role.',
  ];
  const aboutTheToken = [
    ...['no', '', 'revoked', 'Forbidden', 'invalid token', 'The access token has expired'],
    'Access denied: the token is not valid',
  ];
  for (const message of denied) it(`is: ${message}`, () => assert.ok(deniesAccess(message)));
  for (const message of aboutTheToken) it(`is not: ${message}`, () => assert.ok(!deniesAccess(message)));
});

describe('the message of a refusal', () => {
  const cases: [waitMs: number | undefined, said: string, message: string][] = [
    [undefined, 'slow down', 'The service returned 429: slow down'],
    [30_000, 'slow down', 'The service returned 429: slow down. Try again at 14:03:12.'],
    [90_400, 'Slow down.', 'The service returned 429: Slow down. Try again at 14:04:13.'],
    [86_400_000, 'slow down', 'The service returned 429: slow down. Try again in 24 h.'],
    [172_800_000, 'slow down', 'The service returned 429: slow down. Try again in 2 days.'],
    [0, 'slow down', 'The service returned 429: slow down'],
  ];
  it('names the status once', () => {
    const { message, short } = serviceAnswered(502, '502 Bad Gateway');
    assert.deepEqual([message, short], ['The service returned 502: Bad Gateway', '502: Bad Gateway']);
  });
  for (const [waitMs, said, message] of cases) {
    const now = new Date(2026, 10, 22, 14, 2, 42).getTime();
    const wait = waitMs === undefined ? undefined : { ms: waitMs, until: now + waitMs };
    it(message, () => assert.equal(serviceAnswered(429, said, wait).message, message));
  }
});
