import assert from 'node:assert/strict';
import { isListenerItself } from '../../../../src/model/service/loopback.ts';

describe('the listener itself', () => {
  const isListener = (url: string, publicUrl: string): boolean =>
    isListenerItself(new URL(url), { port: 8787, publicUrl });

  it('is reached at its public address and below it', () => {
    for (const publicUrl of ['https://host.example/hook', 'https://host.example/hook/']) {
      assert.ok(isListener('https://host.example/hook', publicUrl));
      assert.ok(isListener('https://host.example/hook/', publicUrl));
      assert.ok(isListener('https://host.example/hook/of/hello?x=1', publicUrl));
    }
    assert.ok(isListener('https://host.example/any', 'https://host.example'));
  });

  it('is reached where a proxy matches the beginning of a path', () => {
    assert.ok(isListener('https://host.example/hook2', 'https://host.example/hook'));
  });

  it('is not reached at another path or host', () => {
    assert.ok(!isListener('https://host.example/', 'https://host.example/hook'));
    assert.ok(!isListener('https://other.example/hook', 'https://host.example/hook'));
  });

  it('is reached at its port on this machine', () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]']) {
      assert.ok(isListener(`http://${host}:8787/`, 'https://host.example/'), host);
      assert.ok(!isListener(`http://${host}:8788/`, 'https://host.example/'), host);
    }
  });
});
