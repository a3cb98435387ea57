import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Query, type RunUrl, runUrl, withWebhook } from '../../../../src/service/runs/runUrl.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';

const proxy = 'https://proxy.example';
const to = (path: string, query?: Query, proxyUrl = proxy): RunUrl =>
  runUrl(proxyUrl, { projectId: 'p', appName: 'a', path, ...(query && { query }) });
const targetOf = ({ pathname, search }: RunUrl): string => pathname + search;
const resultsOf = ({ resultAddresses }: RunUrl): string[] => resultAddresses.map(({ href }) => href);

describe('the URL of a run (service-interface.md, section 4.3)', () => {
  it('is that of the app, and of the path', () => {
    assert.equal(to('run').href, 'https://proxy.example/v4/p/a/run');
    assert.equal(to('/v1/chat%20x').href, 'https://proxy.example/v4/p/a/v1/chat%20x');
    assert.equal(to('').href, 'https://proxy.example/v4/p/a/');
    assert.equal(to('//elsewhere.example/x').href, 'https://proxy.example/v4/p/a//elsewhere.example/x');
    assert.equal(
      to('run', {}, 'http://proxy.example:81/eu/?x=1#y').href,
      'http://proxy.example:81/eu/v4/p/a/run',
    );
  });

  const queries = [
    'q=a%20b&flag&t=~!*()&e=%2F;k=1',
    'x=%E9',
    "it's=%27'&%",
    '?&&a=1?b',
    'a+b=c\\d^`{|}[]@:/',
    '%zz',
    'a=$&b,c',
  ];
  for (const query of queries) {
    it(`leaves a query as it was written: ${query}`, () => {
      assert.equal(to(`run?${query}`).search, `?${query}`);
      const webhook = 'webhookEndpoint=https%3A%2F%2Fhook.example%2F';
      assert.equal(withWebhook(to(`run?${query}`), 'https://hook.example').search, `?${query}&${webhook}`);
    });
  }

  it('encodes what no URL can hold as UTF-8', () => {
    assert.equal(
      to('é x?é= "<>😀').href,
      'https://proxy.example/v4/p/a/%C3%A9%20x?%C3%A9=%20%22%3C%3E%F0%9F%98%80',
    );
  });

  it('puts the query of the settings block behind that of the path', () => {
    const query = { b: ['x y', 2], c: true, "d'&é": "it's" };
    assert.equal(to('chat?a=1', query).search, '?a=1&b=x%20y&b=2&c=true&d%27%26%C3%A9=it%27s');
    assert.equal(to('chat?', query).search.slice(0, 5), '?b=x%');
  });

  it('encodes the webhook endpoint once, and puts it at the end', () => {
    const endpoint = "https://hook.example/in?a=1&b=%20&c='#part";
    const url = withWebhook(to('run?x=1'), endpoint);
    assert.equal(new URL(url.href).searchParams.get('webhookEndpoint'), new URL(endpoint).href);
    assert.match(url.search, /^\?x=1&webhookEndpoint=https%3A%2F%2Fhook\.example%2Fin%3Fa%3D1%26b%3D%2520/);
    assert.deepEqual(resultsOf(url), [new URL(endpoint).href]);
    assert.equal(withWebhook(to('run'), 'http://h/').search, '?webhookEndpoint=http%3A%2F%2Fh%2F');
  });

  for (const endpoint of ['ws://hook.example', 'WSS://hook.example', 'ftp://x', 'hook.example', '']) {
    it(`refuses the webhook endpoint "${endpoint}": only HTTP requests are forwarded`, () => {
      assert.throws(() => withWebhook(to('run'), endpoint), UserError);
      assert.throws(() => to(`run?webhookEndpoint=${endpoint}`), UserError);
    });
  }

  it('has one webhook endpoint: that of the query stays, and another is refused', () => {
    const own = to('run?webhookEndpoint=http://h/x&y=1');
    assert.equal(withWebhook(own, 'http://h/x'), own);
    assert.throws(() => withWebhook(own, 'http://other/'), /own address/);
  });
});

describe('a path that would leave the app', () => {
  const leaving = [
    ...[
      '..',
      '../b/run',
      'x/../../b',
      '%2e%2e/b',
      'x/%2E./y',
      '.',
      './run',
      '.%2e',
      '..%2f..',
      'x%5c..%5c..',
      '%252e%252e%252fb',
    ],
    ...[
      '%25252e./b',
      '%c0%ae%c0%ae/b',
      '%e0%80%ae./b',
      '%u002e%u002e/b',
      '．．/b',
      '%ef%bc%8e./b',
      '..;/b',
      '..;a=1/b',
      '..%00/b',
    ],
    ...['.%09./b', '%20../b', '..%20/b', '..%3f/b', '..%23', '…/b', 'x%2f..%c0%afb', '.%e2%80%8b./b'],
  ];
  for (const path of leaving) {
    it(`is refused, whatever the reading: ${path}`, () => {
      assert.throws(() => to(path), /leaves the app/);
      assert.doesNotThrow(() => to(`run?q=${path}`));
    });
  }

  it('is refused where it holds what parsers drop or turn', () => {
    for (const path of [
      '.\t./.\t./x',
      'ru\nn',
      'run\r',
      '\0',
      '\x7f',
      'run?\t',
      'run?a\nb',
      '\ud800',
      'run?\udc00',
      '\x85',
    ])
      assert.throws(() => to(path), /no address can have/, JSON.stringify(path));
    for (const path of ['run#', 'run?#', '#?x', 'run?a#b']) assert.throws(() => to(path), /contains a "#"/);
    for (const path of ['..\\b', 'a\\b', '\\\\host\\x']) assert.throws(() => to(path), /backslash/);
    assert.throws(() => to('run', { a: '\ud800' }), /half a character/);
    for (const path of ['run?x=%', '%'])
      assert.throws(() => to(`${path}${'25'.repeat(9)}41`), /too many times/);
  });

  it('is no other one', () => {
    for (const path of ['a%2Fb', 'a..b/.c', 'x/..y', 'a:b@c', 'http://h/', '%zz', '~', "'", 'a;b=c', 'x//y'])
      assert.equal(to(path).pathname, `/v4/p/a/${path}`);
  });

  it('is refused for a proxy that is none, or holds a password', () => {
    assert.throws(() => to('run', {}, 'wss://proxy.example'), /forwards HTTP requests only/);
    assert.throws(() => to('run', {}, 'https://a:b@proxy.example'), /user name or a password/);
  });
});

describe('whatever is written as path and query', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      '//',
      '%2e',
      '%2E',
      '%2f',
      '%5c',
      '%25',
      '?',
      '#',
      '&',
      ';',
      '=',
      '\t',
      '\n',
      '\0',
      '@',
      ':',
    ),
    fc.constantFrom(
      'webhookEndpoint=',
      'WebhookEndpoint[]=',
      'webhook%45ndpoint=',
      'http://192.0.2.2/',
      '//h',
      'u:p@',
      '%c0%ae',
      "'",
      '+',
    ),
    fc.string({ unit: 'grapheme', maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.webPath({ size: 'small' }),
    fc.webQueryParameters({ size: 'small' }),
    fc.webUrl({ size: 'small', withQueryParameters: true }).map(encodeURIComponent),
  );
  const path = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

  it('is below the app and on the origin of the proxy, and its query begins as it was written', () => {
    let sent = 0;
    fc.assert(
      fc.property(path, fc.option(fc.webUrl()), (written, endpoint) => {
        let url: RunUrl;
        try {
          url = to(written);
          if (endpoint !== null && url.resultAddresses.length === 0) url = withWebhook(url, endpoint);
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
          return;
        }
        sent += 1;
        assert.equal(url.href, `${proxy}${targetOf(url)}`);
        const parsed = new URL(url.href);
        assert.equal(parsed.origin, proxy);
        assert.equal(parsed.username + parsed.password + parsed.hash, '');
        assert.equal(parsed.pathname, url.pathname);
        assert.equal(parsed.search, url.search.replaceAll("'", '%27'));
        assert.match(targetOf(url), /^[\x21-\x7e]+$/);
        staysBelow(url.pathname);
        const query = written.includes('?') ? written.slice(written.indexOf('?')) : '';
        if (query !== '?') assert.ok(url.search.startsWith(asciiOf(query)), url.search);
        const named = parsed.searchParams.getAll('webhookEndpoint');
        const told = url.resultAddresses.map(({ origin }) => origin);
        for (const one of named.map((text) => URL.parse(text))) assert.ok(!one || told.includes(one.origin));
      }),
      { numRuns: 3000 },
    );
    assert.ok(sent > 300, `only ${sent} were sent`);
  });

  /** By decoders of its own, over and over. */
  function staysBelow(pathname: string): void {
    for (let text = pathname, last = ''; text !== last;) {
      const { pathname: read } = new URL(text.replaceAll('\\', '/'), proxy);
      assert.ok(read.startsWith('/v4/p/a/'), text);
      last = text;
      text = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    }
  }

  /** What no URL can hold, as UTF-8; the rest as it is. */
  function asciiOf(text: string): string {
    return text.replace(/[^\x21-\x7e]|["<>]/gu, (one) => encodeURIComponent(one));
  }
});
