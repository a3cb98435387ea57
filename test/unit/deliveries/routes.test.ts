import assert from 'node:assert/strict';
import fc from 'fast-check';
import { forwardUrl, routeOf } from '../../../src/deliveries/routes/routes.ts';
import {
  type ForwardTargets,
  permissionFor,
  routingOf,
  targetOf,
} from '../../../src/deliveries/destination.ts';
import {
  forwardTargets,
  readRoutes,
  type RoutePlace,
  type RoutePlaces,
  setRoutes,
  unusedRouteText,
} from '../../../src/deliveries/routes/routesThatCount.ts';
import { targetsText } from '../../../src/deliveries/routes/targetText.ts';
import {
  plainAddress,
  typedAddress,
  typedServiceAddress,
  writtenAddress,
} from '../../../src/service/typedAddress.ts';
import { cpuMs } from '../../support/time/cpuTime.ts';
import '../../support/random/seed.ts';

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

interface Written {
  forwardTo?: string;
  routes?: unknown;
  appNames?: string[];
}

const place = ({ routes, ...rest }: Written = {}): RoutePlace => ({
  ...rest,
  routes: readRoutes(routes).routes,
});

const places = (
  ofUser?: Written,
  workspace?: Written,
  folders: readonly Written[] = [],
  isTrusted = true,
): RoutePlaces => ({
  isTrusted,
  ofUser: place(ofUser),
  workspace: place(workspace),
  folders: folders.map((one, index) => ({ ...place(one), folder: { name: `f${index}`, index } })),
});

const goesTo = (all: RoutePlaces, appName?: string): string | undefined => {
  const { apps, rest } = setRoutes(all);
  return ((appName === undefined ? undefined : apps.get(appName)) ?? rest)?.address;
};
const unused = (all: RoutePlaces): string[] => setRoutes(all).unused.map(unusedRouteText);

describe('where the settings have deliveries go', () => {
  it('is the route of the app, else *, else forwardTo', () => {
    const all = places({ forwardTo: 'last', routes: { echo: 'e', '*': 'rest' } });
    assert.deepEqual([goesTo(all, 'echo'), goesTo(all, 'other'), goesTo(all)], ['e', 'rest', 'rest']);
    assert.equal(goesTo(places({ forwardTo: 'last', routes: { echo: 'e' } }), 'other'), 'last');
    assert.equal(goesTo(places({ routes: { echo: 'e' } }), 'other'), undefined);
  });

  it('is what the nearest place says, and an empty address is one', () => {
    const ofUser = { forwardTo: 'user', routes: { echo: 'userEcho', '*': 'userRest' } };
    const all = places(ofUser, { forwardTo: 'workspace' }, [{ routes: { echo: '' } }]);
    assert.equal(goesTo(all), 'workspace');
    assert.equal(goesTo(all, 'echo'), '');
    assert.equal(goesTo(places(ofUser, { forwardTo: '' })), '');
  });

  it('is, of apps with the names of what every object has, what is set alone', () => {
    const routes: unknown = JSON.parse('{"__proto__": "p", "x": "x", "bad": 1}');
    const all = places({ routes, forwardTo: 'rest' });
    assert.equal(goesTo(all, '__proto__'), 'p');
    for (const name of ['constructor', 'toString', 'bad']) assert.equal(goesTo(all, name), 'rest', name);
    for (const value of [null, 1, 'x', ['http://x']]) assert.ok(readRoutes(value).routes.size <= 1);
  });

  it('is of two folders with two apps the address of each, by routes or by their projects', () => {
    for (const folders of [
      [{ routes: { echo: 'a' } }, { routes: { hello: 'b' } }],
      [
        { forwardTo: 'a', appNames: ['echo'] },
        { forwardTo: 'b', appNames: ['hello'] },
      ],
    ]) {
      const all = places({ forwardTo: 'user' }, {}, folders);
      assert.deepEqual([goesTo(all, 'echo'), goesTo(all, 'hello'), goesTo(all)], ['a', 'b', 'user']);
      assert.deepEqual(unused(all), []);
    }
  });

  it('is of the only folder that says so the address of what no app is known of', () => {
    const all = places({ forwardTo: 'user' }, {}, [{ forwardTo: 'a' }, {}]);
    assert.equal(goesTo(all), 'a');
    assert.deepEqual(unused(all), []);
  });

  it('says where two folders do not agree, and which of them counts', () => {
    const folders = [{ routes: { echo: 'a' } }, { routes: { echo: 'b' } }, { routes: { echo: 'a' } }];
    const all = places({}, {}, folders);
    assert.equal(goesTo(all, 'echo'), 'a');
    assert.deepEqual(unused(all), [
      'echo has two forwarding addresses. a from f0 is used; b from f1 is not.',
    ]);
  });

  it('says that the address of a folder without apps is not used', () => {
    const all = places({ forwardTo: 'user' }, {}, [{ forwardTo: 'a' }, { forwardTo: 'b' }]);
    assert.equal(goesTo(all), 'user');
    assert.deepEqual(
      unused(all).map((text) => /^The forwarding address of folder (f\d) is not used/.exec(text)?.[1]),
      ['f0', 'f1'],
    );
  });

  it('is what the user has set alone, while the workspace is not trusted, and is said', () => {
    const theirs = { forwardTo: 'http://127.0.0.1:1/', routes: { echo: 'http://127.0.0.1:2/' } };
    const untrusted = (ofUser: Written): ForwardTargets =>
      forwardTargets(places(ofUser, theirs, [theirs], false), () => 'given');
    assert.equal(targetsText(untrusted({})), 'off: the workspace is not trusted');
    assert.deepEqual(routingOf(untrusted({})), { routes: [] });
    const ofUser = untrusted({ forwardTo: 'http://localhost:3000' });
    assert.equal(targetsText(ofUser), '→ localhost:3000');
    assert.deepEqual(routingOf(ofUser), { routes: [], forwardTo: 'http://localhost:3000/' });
  });
});

describe('what the listener program is told of it', () => {
  const address = fc.constantFrom(
    '',
    'http://127.0.0.1:3000/hook',
    'http://localhost:4000',
    'https://evil.example/',
    'https://allowed.example/',
    'https://refused.example/',
    'https://mine.example/',
    'http://127.0.0.1.evil.example/',
    'http://127.0.0.1@evil.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'localhost:3000',
    'http://0.0.0.0:1',
  );
  const app = fc.constantFrom('echo', 'hello', '*', '__proto__', 'constructor', 'Echo');
  const written: fc.Arbitrary<Written> = fc.record(
    { forwardTo: address, routes: fc.dictionary(app, address), appNames: fc.array(app) },
    { requiredKeys: [] },
  );
  const answers = { 'https://allowed.example/': true, 'https://refused.example/': false };
  const isAllowed = (to: string, ofUser: ReadonlySet<string>) =>
    permissionFor(new URL(to), ofUser, answers) === 'given';

  it('holds no address that has not passed the gate, whatever user, workspace and folders write', () => {
    fc.assert(
      fc.property(written, written, fc.array(written), fc.boolean(), (user, shared, folders, isTrusted) => {
        const all = places(user, shared, folders, isTrusted);
        const named = [all.ofUser.forwardTo ?? '', ...all.ofUser.routes.values()];
        const ofUser = new Set(named.flatMap((one) => writtenAddress(one)?.href ?? []));
        const targets = forwardTargets(all, (to) => permissionFor(to, ofUser, answers));
        const routing = routingOf(targets);
        const names = ['echo', 'hello', '*', '__proto__', 'constructor', 'another', undefined];
        for (const name of names) {
          const to = routeOf(name, routing);
          const target = targetOf(name, targets);
          // An app whose address is not allowed is not sent to that of the others.
          assert.equal(to, target.kind === 'given' ? target.to : undefined);
          if (to === undefined) continue;
          assert.ok(isAllowed(to, ofUser), to);
          assert.ok(isTrusted || ofUser.has(to), `a workspace that is not trusted has a say: ${to}`);
        }
      }),
    );
  });
});

describe('very many routes', () => {
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`app-${at}`, `http://127.0.0.1:${at + 1}/`]),
    );

  it('are read up to a bound, and the rest is counted and told', () => {
    const { routes, leftOut } = readRoutes(many(20), 5);
    assert.deepEqual([...routes.keys()], ['app-0', 'app-1', 'app-2', 'app-3', 'app-4']);
    assert.equal(leftOut, 15);
    const told = (isTrusted: boolean) => unused({ ...places({}, {}, [], isTrusted), leftOut });
    assert.match(told(true).join('\n'), /the first 1000 are used, 15 are not/);
    assert.deepEqual(told(false), []);
  });

  it('of the user, a workspace and its folders take no more time than they are long', () => {
    const routes = many(10_000);
    const appNames = Object.keys(routes);
    const folders = Array.from({ length: 10 }, () => ({ appNames, forwardTo: 'http://127.0.0.1:1/' }));
    const all = places({ routes }, { routes }, folders);
    const ofUser = new Set(Object.values(routes));
    const work = () => forwardTargets(all, (to) => permissionFor(to, ofUser, {}));
    assert.ok(cpuMs(() => assert.equal(work().apps.size, 10_000)) < 3000);
  });
});

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
