import assert from 'node:assert/strict';
import fc from 'fast-check';
import { appUrl, keysUrl, leavesItsPlace, parseHttpUrl } from '../../../../src/model/service/endpoints.ts';
import { runUrl } from '../../../../src/model/runs/runUrl.ts';
import { UserError } from '../../../../src/model/text/userError.ts';

describe('endpoints (service-interface.md, section 4)', () => {
  it('4.1: the keys of a service account', () => {
    assert.equal(
      keysUrl('https://api.example', 'p-1', 'sa-1').href,
      'https://api.example/v2/p-1/service-accounts/sa-1/keys',
    );
  });

  it('4.2: an app', () => {
    assert.equal(
      appUrl('https://api.example', 'p-1', 'a-1').href,
      'https://api.example/v2/projects/p-1/apps/a-1',
    );
  });

  it('keeps a path and drops query and hash of the base address', () => {
    assert.equal(
      appUrl('https://api.example/eu//?x=1#y', 'p', 'a').href,
      'https://api.example/eu/v2/projects/p/apps/a',
    );
  });

  it('keeps every id within its segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        fc.pre(!leavesItsPlace(id));
        const url = keysUrl('https://api.example', id, id);
        const [, version, project, accounts, account, keys, ...rest] = url.pathname.split('/');
        assert.deepEqual([version, accounts, keys, rest], ['v2', 'service-accounts', 'keys', []]);
        assert.equal(decodeURIComponent(project!), id);
        assert.equal(decodeURIComponent(account!), id);
      }),
    );
  });

  for (const id of ['', '.', '..', '%2e%2E', '../x', 'x\\..', '..;a', '\ud800']) {
    it(`refuses ${JSON.stringify(id)} as an id`, () => {
      assert.throws(() => keysUrl('https://api.example', id, 'sa'), UserError);
      assert.throws(() => appUrl('https://api.example', 'p', id), UserError);
      assert.throws(
        () => runUrl('https://proxy.example', { projectId: 'p', appName: id, path: 'run' }),
        UserError,
      );
    });
  }

  for (const address of ['', 'api.example', 'file:///etc/passwd', 'javascript:alert(1)']) {
    it(`refuses "${address}" as an address of the service`, () => {
      assert.throws(() => parseHttpUrl(address), UserError);
    });
  }

  it('takes no user name and no password in an address of the service, and does not repeat it', () => {
    for (const address of ['https://me:pa55@api.example/', 'https://me@api.example']) {
      assert.throws(
        () => keysUrl(address, 'p', 'sa'),
        (error) => error instanceof UserError && !error.message.includes('pa55'),
      );
    }
  });
});
