import assert from 'node:assert/strict';
import { permissionFor } from '../../../src/deliveries/destination.ts';

const leave = (address: string, ofUser: readonly string[] = [], answers: Record<string, boolean> = {}) =>
  permissionFor(new URL(address), new Set(ofUser), answers);

describe('where deliveries may go', () => {
  it('is this machine, by each of its names', () => {
    for (const host of ['127.0.0.1', '127.255.3.4', 'LOCALHOST', '[::1]', '0x7f.1', '2130706433']) {
      assert.equal(leave(`http://${host}:3000/hook`), 'given', host);
    }
  });

  it('is nowhere else without a response, however much it looks like this machine', () => {
    for (const address of [
      'http://127.0.0.1.example.com/',
      'http://localhost.example.com/',
      'http://localhost@example.com/',
      'http://example.com/127.0.0.1',
      'http://app.localhost/',
      'http://128.0.0.1/',
      'http://0.0.0.0/',
      'http://[::2]/',
    ]) {
      assert.equal(leave(address), 'unanswered', address);
    }
  });

  it('is where the settings of the user say, to the letter', () => {
    const ofUser = ['', 'no address', 'https://app.example/hook'];
    assert.equal(leave('https://APP.example:443/hook', ofUser), 'given');
    for (const other of [
      'https://app.example/',
      'http://app.example/hook',
      'https://app.example/hook?to=x',
    ]) {
      assert.equal(leave(other, ofUser), 'unanswered', other);
    }
  });

  it('is as the user has answered for that address, and for no other', () => {
    const answers = { 'https://a.example/hook': true, 'https://b.example/': false };
    assert.equal(leave('https://a.example/hook', [], answers), 'given');
    assert.equal(leave('https://b.example', [], answers), 'refused');
    assert.equal(leave('https://a.example/other', [], answers), 'unanswered');
  });
});
