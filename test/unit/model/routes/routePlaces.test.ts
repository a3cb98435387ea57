import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type ForwardTargets,
  permissionFor,
  routingOf,
  targetOf,
} from '../../../../src/model/deliveries/destination.ts';
import {
  type RoutePlace,
  type RoutePlaces,
  forwardTargets,
  readRoutes,
  setRoutes,
  unusedRouteText,
} from '../../../../src/model/routes/routePlaces.ts';
import { cpuMs } from '../../../support/time/cpuTime.ts';
import { routeOf } from '../../../../src/model/routes/routes.ts';
import { targetsText } from '../../../../src/model/routes/targetText.ts';
import { writtenAddress } from '../../../../src/model/routes/typedAddress.ts';
import '../../../support/random/seed.ts';

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
    assert.match(told(true).join('\n'), /the first 1000 count, 15 do not/);
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
