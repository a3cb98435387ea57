import assert from 'node:assert/strict';
import { originsInClear } from '../../../../src/model/keys/clearText.ts';

describe('where tokens go to unencrypted', () => {
  const of = (baseUrl: string, proxyUrl = '') => originsInClear({ baseUrl, proxyUrl });

  it('is an http address that is not on this machine', () => {
    assert.deepEqual(of('http://api.example/base'), ['http://api.example']);
    assert.deepEqual(of('', 'HTTP://10.0.0.8:8080'), ['http://10.0.0.8:8080']);
    assert.deepEqual(of('http://128.0.0.1', 'http://localhost.example'), [
      'http://128.0.0.1',
      'http://localhost.example',
    ]);
    assert.deepEqual(of('http://127.0.0.1@api.example'), ['http://api.example']);
  });

  it('is said once of an address that both have', () => {
    assert.deepEqual(of('http://api.example/a', 'http://api.example:80/b'), ['http://api.example']);
  });

  it('is neither this machine, nor https, nor what is no address', () => {
    for (const address of [
      ...['http://127.0.0.1', 'http://127.9.8.7:4100', 'http://[::1]:80', 'http://localhost:3000'],
      ...['https://api.example', 'api.example', '', 'http://'],
    ]) {
      assert.deepEqual(of(address, address), [], address);
    }
  });
});
