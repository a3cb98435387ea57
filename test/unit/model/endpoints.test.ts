import assert from 'node:assert/strict';
import fc from 'fast-check';
import { appUrl, keysUrl, parseHttpUrl, runUrl } from '../../../src/model/endpoints.ts';
import { UserError } from '../../../src/model/userError.ts';

const proxy = 'https://proxy.example';

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

  it('4.3: a run', () => {
    assert.equal(runUrl(proxy, 'p-1', 'hello', 'run').href, 'https://proxy.example/v4/p-1/hello/run');
  });

  it('keeps a path and drops query and hash of the base address', () => {
    assert.equal(
      appUrl('https://api.example/eu//?x=1#y', 'p', 'a').href,
      'https://api.example/eu/v2/projects/p/apps/a',
    );
  });

  it('keeps the path and the query of the call as they are', () => {
    assert.equal(
      runUrl(proxy, 'p', 'a', '/v1/chat%20x?stream=1&q=a%26b').href,
      'https://proxy.example/v4/p/a/v1/chat%20x?stream=1&q=a%26b',
    );
  });

  it('encodes the webhook endpoint once', () => {
    const endpoint = 'https://hook.example/in?a=1&b=%20#part';
    const url = runUrl(proxy, 'p', 'a', 'run?x=1', endpoint);
    assert.equal(url.searchParams.get('webhookEndpoint'), endpoint);
    assert.equal(url.searchParams.get('x'), '1');
    assert.match(url.search, /webhookEndpoint=https%3A%2F%2Fhook\.example%2Fin%3Fa%3D1%26b%3D%2520%23part$/);
  });

  for (const endpoint of ['ws://hook.example', 'wss://hook.example', 'ftp://x', 'hook.example', '']) {
    it(`refuses the webhook endpoint "${endpoint}": only HTTP requests are forwarded`, () => {
      assert.throws(() => runUrl(proxy, 'p', 'a', 'run', endpoint), UserError);
    });
  }

  it('never leaves the app, whatever the path', () => {
    for (const path of ['..', '../b/run', 'x/../../b', '%2e%2e/b', 'x/%2E./y', '..\\b', '.']) {
      assert.throws(() => runUrl(proxy, 'p', 'a', path), UserError, path);
    }
    fc.assert(
      fc.property(fc.webPath(), (path) => {
        let url: URL;
        try {
          url = runUrl(proxy, 'p', 'a', path);
        } catch (error) {
          return error instanceof UserError;
        }
        return url.origin === proxy && url.pathname.startsWith('/v4/p/a/');
      }),
    );
  });

  it('keeps every id within its segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        fc.pre(id !== '.' && id !== '..');
        const url = keysUrl('https://api.example', id, id);
        const [, version, project, accounts, account, keys, ...rest] = url.pathname.split('/');
        assert.deepEqual([version, accounts, keys, rest], ['v2', 'service-accounts', 'keys', []]);
        assert.equal(decodeURIComponent(project!), id);
        assert.equal(decodeURIComponent(account!), id);
      }),
    );
  });

  for (const id of ['', '.', '..', '\ud800']) {
    it(`refuses ${JSON.stringify(id)} as an id`, () => {
      assert.throws(() => keysUrl('https://api.example', id, 'sa'), UserError);
      assert.throws(() => appUrl('https://api.example', 'p', id), UserError);
      assert.throws(() => runUrl(proxy, 'p', id, 'run'), UserError);
    });
  }

  for (const address of ['', 'api.example', 'file:///etc/passwd', 'javascript:alert(1)']) {
    it(`refuses "${address}" as an address of the service`, () => {
      assert.throws(() => parseHttpUrl(address), UserError);
    });
  }
});
