import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addressOfApp, splitAppPath } from '../../../../src/service/runs/appAddress.ts';
import { runUrl, withWebhook } from '../../../../src/service/runs/runUrl.ts';
import '../../../support/random/seed.ts';

const targetOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

describe('the app in the path of a webhook', () => {
  it('stands behind the path that the address has, before its query', () => {
    assert.equal(addressOfApp('http://127.0.0.1:8787/', 'echo'), 'http://127.0.0.1:8787/runhook/echo');
    assert.equal(addressOfApp('https://x.example/in/?k=1', 'a b'), 'https://x.example/in/runhook/a%20b?k=1');
    assert.deepEqual(splitAppPath('/in/runhook/a%20b?k=1'), { path: '/in?k=1', appName: 'a b' });
    assert.deepEqual(splitAppPath('/runhook/echo/'), { path: '/', appName: 'echo' });
  });

  it('is read as it was written, whatever the name and the address are', () => {
    const endpoint = fc.constantFrom(
      'http://127.0.0.1:1/',
      'https://x.example',
      'https://x.example/a/runhook/b?runhook=/runhook/c',
    );
    fc.assert(
      fc.property(endpoint, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (before, name) => {
        const address = addressOfApp(before, name);
        const { appName, path } = splitAppPath(targetOf(address));
        if (/^\.\.?$|\p{Cc}/u.test(name)) {
          assert.equal(address, before);
        } else {
          assert.equal(appName, name);
          assert.equal(path, targetOf(before));
        }
      }),
    );
  });

  it('is encoded once for the query of the call', () => {
    const call = runUrl('https://proxy.example', { projectId: 'p', appName: "a/b'ç%", path: 'run' });
    const address = addressOfApp('http://127.0.0.1:8787/', "a/b'ç%");
    const sent = new URL(withWebhook(call, address).href).searchParams.get('webhookEndpoint') ?? '';
    assert.equal(sent, address);
    assert.equal(splitAppPath(targetOf(sent)).appName, "a/b'ç%");
  });

  it('is left out where no path can hold the name', () => {
    for (const name of ['', '.', '..', 'a\nb', '\ud800', 'x'.repeat(201)]) {
      assert.equal(addressOfApp('http://127.0.0.1:1/', name), 'http://127.0.0.1:1/', JSON.stringify(name));
    }
    assert.equal(addressOfApp('no address', 'echo'), 'no address');
  });

  it('is read from a request target in absolute form, as a proxy may send it, without scheme and host', () => {
    assert.deepEqual(splitAppPath('http://x.example/in/runhook/echo?k=1'), {
      path: '/in?k=1',
      appName: 'echo',
    });
    assert.deepEqual(splitAppPath('HTTPS://x.example:1/hook?k=1'), { path: '/hook?k=1' });
    assert.deepEqual(splitAppPath('http://x.example?k=1'), { path: '/?k=1' });
    assert.deepEqual(splitAppPath('http://x.example'), { path: '/' });
  });

  it('is in no path that has another form: those stay as they are', () => {
    for (const target of [
      '/',
      '/hook?x=/runhook/echo',
      '/runhook/',
      '/runhook/a/b',
      '/runhook/%ff',
      '/runhook/%0a',
      '/runhook/..',
      `/runhook/${'x'.repeat(201)}`,
      `/runhook/${'%41'.repeat(6000)}`,
      '*',
      '',
    ]) {
      assert.deepEqual(splitAppPath(target), { path: target }, target);
    }
  });

  it('gives a name that is bounded and on one line, whatever a stranger writes', () => {
    const part = fc.constantFrom(
      '/',
      'runhook',
      '%',
      '%2f',
      '%00',
      '.',
      '?',
      '#',
      'é',
      '\ud83d',
      'x'.repeat(90),
    );
    fc.assert(
      fc.property(
        fc.array(part).map((parts) => `/runhook/${parts.join('')}`),
        (target) => {
          const { path, appName } = splitAppPath(target);
          assert.ok(path.length <= target.length);
          if (appName !== undefined) assert.match(appName, /^[^\p{Cc}]{1,200}$/u);
        },
      ),
    );
  });
});
