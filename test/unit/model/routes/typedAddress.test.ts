import assert from 'node:assert/strict';
import { plainAddress, typedAddress } from '../../../../src/model/routes/typedAddress.ts';

describe('an address as it is typed', () => {
  for (const [typed, kept] of [
    ['localhost:3000', 'http://localhost:3000'],
    [' 3000 ', 'http://localhost:3000'],
    [':3000', 'http://localhost:3000'],
    ['[::1]:3000/hook?a=1', 'http://[::1]:3000/hook?a=1'],
    ['app.example', 'http://app.example'],
    ['HTTPS://App.example:443/hook', 'https://app.example/hook'],
    ['127.0.0.1:65535', 'http://127.0.0.1:65535'],
  ] as const) {
    it(`${typed} is ${kept}`, () => assert.equal(plainAddress(typedAddress(typed)), kept));
  }

  for (const [typed, why] of [
    ['hello world', /"hello world" is not an http or https address/],
    ['ftp://localhost:3000', /"ftp:\/\/localhost:3000" is not an http or https address/],
    ['ws://localhost:3000', /websocket/],
    ['localhost:65536', /65536 is not a port: the highest is 65535/],
    ['99999', /99999 is not a port/],
    ['https://x:70000/hook', /70000 is not a port/],
    ['localhost:abc', /"localhost:abc" is not an http/],
    ['javascript:alert(1)', /is not an http/],
    ['http://', /is not an http/],
    ['://x', /is not an http/],
    ['me:secret@localhost:3000', /Leave out the user name and the password/],
  ] as const) {
    it(`${typed} is refused with the reason`, () => {
      assert.throws(() => typedAddress(typed), { name: 'UserError', message: why });
    });
  }
});
