import assert from 'node:assert/strict';
import { redirectText } from '../../../../src/service/client/redirect.ts';

describe('where a response leads instead', () => {
  const url = new URL('http://service.example/run');
  const next = ' The token was not sent there: set that address if it is correct.';

  for (const [status, location, said] of [
    [
      301,
      'https://service.example/run',
      `service.example redirects to https://service.example (301).${next}`,
    ],
    [302, '//sign-in.example/?next=run', `service.example redirects to http://sign-in.example (302).${next}`],
    [302, '/sign-in?next=run', 'service.example redirects to /sign-in (302). Check the address.'],
    [304, undefined, undefined],
    [302, 'http://', undefined],
    [200, 'https://service.example/', undefined],
  ] as const) {
    it(`is said of ${status} with ${location}`, () => {
      assert.equal(redirectText(url, status, location), said);
    });
  }
});
