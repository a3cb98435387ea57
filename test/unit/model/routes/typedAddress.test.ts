import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  plainAddress,
  typedAddress,
  typedServiceAddress,
  writtenAddress,
} from '../../../../src/model/routes/typedAddress.ts';

describe('an address as it is typed', () => {
  for (const [typed, kept] of [
    ['localhost:3000', 'http://localhost:3000'],
    [' 3000 ', 'http://localhost:3000'],
    [':3000', 'http://localhost:3000'],
    ['[::1]:3000/hook?a=1', 'http://[::1]:3000/hook?a=1'],
    ['app.example', 'http://app.example'],
    ['HTTPS://App.example:443/hook', 'https://app.example/hook'],
    ['127.0.0.1:65535', 'http://127.0.0.1:65535'],
    ['4300/webhook', 'http://localhost:4300/webhook'],
    [':4300/webhook?a=1&b=%20#part', 'http://localhost:4300/webhook?a=1&b=%20'],
    ['00080', 'http://localhost'],
    ['LOCALHOST/hook', 'http://localhost/hook'],
    ['[::1]', 'http://[::1]'],
    ['//app.example/hook', 'http://app.example/hook'],
    ['app:3000', 'http://app:3000'],
    ['http://app', 'http://app'],
    ['bücher.example/ä', 'http://xn--bcher-kva.example/%C3%A4'],
    ['localhost:3000/my hook/@me', 'http://localhost:3000/my%20hook/@me'],
  ] as const) {
    it(`${typed} is ${kept}`, () => assert.equal(plainAddress(typedAddress(typed)), kept));
  }

  for (const [typed, why] of [
    ['hello world', /"hello world" is not an http or https address/],
    ['ftp://localhost:3000', /"ftp:\/\/localhost:3000" is not an http or https address/],
    ['ws://localhost:3000', /websocket/],
    ['localhost:65536', /65536 is not a port: the highest is 65535/],
    ['99999', /99999 is not a port/],
    ['0', /0 is not a port/],
    ['https://x:70000/hook', /70000 is not a port/],
    ['localhost:abc', /"localhost:abc" is not an http/],
    ['localhost:', /is not an http/],
    ['javascript:alert(1)', /is not an http/],
    ['http://', /is not an http/],
    ['://x', /is not an http/],
    ['/hook', /is not an http/],
    ['', /is not an http/],
    // A word could be a name, or a secret; the second half of it is missing, or a URL parser would not see it.
    ['app', /is not an http/],
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', /is not an http/],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', /is not an http/],
    ['http:3000', /is not an http/],
    ['http:/localhost', /is not an http/],
    ['http:\\\\localhost', /is not an http/],
    ['local\thost:3000', /is not an http/],
    ['localhost:3000\\hook', /is not an http/],
    ['app..example', /is not an http/],
    // A letter without width stands before the dot.
    ['\u200b.localhost', /is not an http/],
    ['a%2eb:3000', /is not an http/],
    ['[fe80::1%25eth0]:3000', /is not an http/],
    // What stands there is no machine that anybody means.
    ['127.1', /"127\.1" would be read as the machine 127\.0\.0\.1\./],
    ['0x7f.1', /machine 127\.0\.0\.1/],
    ['1.1', /machine 1\.0\.0\.1/],
    ['4300:5', /machine 0\.0\.16\.204/],
    ['http://4300/webhook', /machine 0\.0\.16\.204/],
    ['010.0.0.1:3000', /machine 8\.0\.0\.1/],
    ['127.0.0.1.:3000', /machine 127\.0\.0\.1/],
    ['１２７.0.0.1:3000', /machine 127\.0\.0\.1/],
    ['me:secret@localhost:3000', /Leave out the user name and the password/],
    ['http://me:secret@app.example/', /Leave out the user name and the password/],
    ['http://me:sec/ret@app.example/', /Leave out the user name and the password/],
    ['me:secret@4300:5', /Leave out the user name and the password/],
  ] as const) {
    it(`${typed} is refused with the reason`, () => {
      assert.throws(() => typedAddress(typed), { name: 'UserError', message: why });
    });
  }

  it('of a service is https elsewhere, where no scheme was typed, and on this machine http', () => {
    const kept = typedServiceAddress;
    assert.equal(kept('api.example/v1'), 'https://api.example/v1');
    assert.equal(kept('api.example:80'), 'https://api.example:80');
    assert.equal(kept('http://api.example'), 'http://api.example');
    assert.equal(kept('4100'), 'http://localhost:4100');
    assert.equal(kept('[0:0::1]:4100'), 'http://[::1]:4100');
    assert.throws(
      () => kept('https://me:hush@api.example'),
      /api\.example contains a user name or a password/,
    );
  });

  it('is kept in a form that means the same when it is read again, on the machine that was typed', () => {
    const part = fc.constantFrom(
      ...['4300', '0', '65536', '127', '1', '0x7f', '10.0.0.1', 'localhost', 'app', 'app.example', '[::1]'],
      ...[
        'http',
        'https',
        '://',
        '//',
        '/',
        ':',
        '.',
        '@',
        '?',
        '#',
        '\\',
        '%',
        ' ',
        '\t',
        '４',
        'é',
        '\u200b',
      ],
    );
    const text = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (typed) => {
        const url = writtenAddress(typed);
        if (url === undefined) return;
        const kept = plainAddress(url);
        assert.equal(writtenAddress(kept)?.href, url.href);
        assert.equal(url.username + url.password + url.hash, '');
        assert.match(url.protocol, /^https?:$/);
        if (/^[\d.]+$/.test(url.hostname)) assert.ok(typed.includes(url.hostname));
      }),
      { numRuns: 2000 },
    );
  });
});
