import assert from 'node:assert/strict';
import { forwardUrl } from '../../../../src/model/routes/routes.ts';

describe('where a delivery is forwarded to', () => {
  const rows = [
    ['http://127.0.0.1:3000', '/hook?x=1', 'http://127.0.0.1:3000/hook?x=1'],
    ['http://127.0.0.1:3000/', '/', 'http://127.0.0.1:3000/'],
    ['http://127.0.0.1:3000/api/hook', '/', 'http://127.0.0.1:3000/api/hook'],
    ['http://127.0.0.1:3000/api?key=1', '/?x=a%2Bb', 'http://127.0.0.1:3000/api?key=1&x=a%2Bb'],
    ['http://127.0.0.1:3000', '//evil.test/x', 'http://127.0.0.1:3000//evil.test/x'],
    ['http://127.0.0.1:3000', 'http://evil.test/x', 'http://127.0.0.1:3000/x'],
    ['http://127.0.0.1:3000', '*', 'http://127.0.0.1:3000/'],
    ['http://127.0.0.1:3000', '/hook/runhook/echo?x=1', 'http://127.0.0.1:3000/hook?x=1'],
    ['http://127.0.0.1:3000', '/runhook/echo', 'http://127.0.0.1:3000/'],
    ['http://127.0.0.1:3000', '//evil.test/runhook/echo', 'http://127.0.0.1:3000//evil.test'],
  ] as const;
  for (const [to, path, url] of rows) {
    it(`${to} and ${path} → ${url}`, () => {
      assert.equal(forwardUrl(to, path).href, url);
    });
  }
});
