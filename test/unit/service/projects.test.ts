import assert from 'node:assert/strict';
import fc from 'fast-check';
import { UserError } from '../../../src/shared/text/userError.ts';
import { isProduction } from '../../../src/service/projects/environment.ts';
import {
  keepProduction,
  ListedProjects,
  mergedProjects,
  mostShared,
} from '../../../src/service/projects/listedProjects.ts';
import { unknownProject } from '../../../src/service/projects/projectErrors.ts';
import { appName, readProjects } from '../../../src/service/projects/project.ts';
import {
  addChild,
  addProject,
  changeEntry,
  hasEntry,
  ownServices,
  removeEntry,
  setOwnService,
} from '../../../src/service/projects/projectList.ts';
import { cpuMs } from '../../support/time/cpuTime.ts';
import '../../support/random/seed.ts';

/** Calls under these ask first: they are production, or may be. */
const asking = [
  ...['prod', 'production', 'PROD', 'Production', ' prod ', 'prd', 'PRD-EU', 'live', 'Live', 'eu-live'],
  ...['prod-eu', 'eu-prod', 'prod_eu', 'prod.eu', 'prod eu', 'eu/prod', 'prod1', 'prod-2', 'production_2'],
  ...['euProd', 'prodEU', 'EUPROD', 'prodeu', 'us-east-1-prod', 'ＰＲＯＤ', 'our production', 'prods'],
  // Whoever copies production may have its data.
  ...['prod-test', 'prod-copy', 'prod-like', 'staging-for-prod', 'dev+prod', 'preprod and prod'],
  ...['Produktion', 'producción', 'produção', 'productie', 'produzione', '本番', '本番環境'],
  // `no` may be Norway.
  ...['non-eu-prod', 'no-prod', 'not dev but prod', 'reprod'],
];

/** Calls under these do not. */
const quiet = [
  ...[
    '',
    ' ',
    'dev',
    'development',
    'staging',
    'stage',
    'test',
    'qa',
    'uat',
    'sandbox',
    'demo',
    'local',
    'ci',
  ],
  ...['non-prod', 'nonprod', 'NonProd', 'non production', 'not-production', 'notProd', 'NON_PROD'],
  ...['preprod', 'pre-prod', 'preproduction', 'pre-production', 'PreProd', 'pre-live', 'preprd'],
  ...['product-dev', 'products', 'produce', 'producer', 'productivity', 'reproduction', 'repro'],
  ...['delivery', 'alive', 'olive', 'livestream', 'pro', 'prototype', 'approved'],
];

describe('what is production', () => {
  for (const name of asking) it(`"${name}" asks`, () => assert.equal(isProduction(name), true));
  for (const name of quiet) it(`"${name}" does not ask`, () => assert.equal(isProduction(name), false));

  it('is nothing without a name', () => assert.equal(isProduction(undefined), false));
});

describe('an account that the user calls production', () => {
  const project = (environment?: string) => ({
    id: 'p-1',
    serviceAccounts: [{ id: 'sa-1', ...(environment !== undefined && { environment }) }],
    apps: [],
  });

  it('stays that, whatever a workspace calls it', () => {
    for (const name of ['prod', 'eu-prod', 'live']) {
      for (const other of ['dev', '', undefined, 'preprod']) {
        assert.deepEqual(keepProduction([project(other)], [project(name)]), [project(name)]);
      }
    }
  });

  it('is what a workspace says where the user calls it otherwise', () => {
    assert.deepEqual(keepProduction([project('prod')], [project('dev')]), [project('prod')]);
    assert.deepEqual(keepProduction([project('dev')], [project('preprod')]), [project('dev')]);
  });
});

const count = 10_000;

/** So many projects, each with addresses, an account and an app. */
const projects = (length: number, prefix = 'p') =>
  Array.from({ length }, (_, at) => ({
    id: `${prefix}-${at}`,
    baseUrl: 'http://api.example',
    serviceAccounts: [{ id: 'ci', environment: 'prod' }],
    apps: [{ id: 'echo' }],
  }));

describe('the projects that the settings list', () => {
  it('are read once, and asked about without reading the lists again', () => {
    let reads = 0;
    const counted = projects(200).map(
      (project) =>
        new Proxy(project, {
          get: (target, name, receiver): unknown => {
            reads += 1;
            return Reflect.get(target, name, receiver);
          },
        }),
    );
    const listed = new ListedProjects({ ofUser: counted, shared: [{ place: 'workspace', list: counted }] });
    const readAtFirst = reads;
    for (const { id } of listed.all) {
      assert.equal(listed.placeOf({ projectId: id, appId: 'echo' }), 'workspace');
      assert.equal(listed.byId.get(id)?.apps.length, 1);
      assert.equal(listed.ownService(id)?.baseUrl, 'http://api.example');
      assert.deepEqual(listed.sharedAddresses(id), ['http://api.example', '']);
    }
    assert.equal(reads, readAtFirst);
    assert.ok(reads < 200 * 50, `${reads} reads`);
  });

  const long: [what: string, list: (length: number) => unknown[]][] = [
    ['projects', (length) => projects(length)],
    ['entries of one project', (length) => projects(length).map((one) => ({ ...one, id: 'p' }))],
    [
      'accounts and apps of one project',
      (length) => [
        {
          id: 'p',
          serviceAccounts: projects(length).map(({ id }) => ({ id, environment: 'prod' })),
          apps: projects(length).map(({ id }) => ({ id })),
        },
      ],
    ],
    ['entries that are none', (length) => Array.from({ length }, () => null)],
  ];
  for (const [what, list] of long) {
    it(`take no more time than ${count} ${what} are long, of the user and of a workspace`, () => {
      const time = (length: number) => {
        const [ofUser, ofWorkspace] = [list(length), list(length)];
        return cpuMs(() => {
          const listed = new ListedProjects({ ofUser, shared: [{ place: 0, list: ofWorkspace }] });
          for (const { id } of listed.all) listed.placeOf({ projectId: id });
        });
      };
      time(100);
      assert.ok(time(count) < 2000);
    });
  }

  it('of a workspace are the first ones, and how many are left out is known, of the user they are all', () => {
    const { projects: most, serviceAccounts, apps } = mostShared;
    const listed = new ListedProjects({
      ofUser: projects(most + 5, 'mine'),
      shared: [
        { place: 'a', list: projects(most - 1, 'a') },
        { place: 'b', list: projects(3, 'b') },
      ],
    });
    assert.deepEqual(listed.leftOut, [{ place: 'b', count: 2 * 3 }]);
    assert.deepEqual(
      listed.shared.map((one) => one.projects.length),
      [most - 1, 1],
    );
    assert.equal(listed.all.filter(({ id }) => id.startsWith('mine')).length, most + 5);
    const many = (length: number) => Array.from({ length }, (_, at) => ({ id: String(at) }));
    const wide = { id: 'p', serviceAccounts: many(serviceAccounts + 3), apps: many(apps + 4) };
    const [first, second] = [wide, wide].map((one, place) => ({ place, list: [one] }));
    const both = new ListedProjects({ ofUser: undefined, shared: [first!, second!] });
    assert.deepEqual(both.leftOut, [
      { place: 0, count: 7 },
      { place: 1, count: serviceAccounts + apps + 7 },
    ]);
    assert.equal(both.byId.get('p')?.serviceAccounts.length, serviceAccounts);
  });

  it('are counted as left out where they are not valid', () => {
    const bad = [{ name: 'no id' }, 7, { id: 'p', serviceAccounts: [{}, { id: 'ci' }], apps: [{ id: 3 }] }];
    const shared = [
      { place: 'a', list: bad },
      { place: 'b', list: projects(1) },
    ];
    const { leftOut } = new ListedProjects({ ofUser: bad, shared });
    assert.deepEqual(leftOut, [
      { place: 'a', count: 4 },
      { place: 'user', count: 4 },
    ]);
  });

  it('are left out altogether where they are not a list, and not where there is none', () => {
    for (const list of [{ id: 'p' }, 'p', 7, false]) {
      const shared = [{ place: 'a', list }];
      const { leftOut } = new ListedProjects({ ofUser: list, shared });
      assert.deepEqual(leftOut, [
        { place: 'a', count: 'all' },
        { place: 'user', count: 'all' },
      ]);
    }
    for (const none of [undefined, null, []]) {
      const { leftOut } = new ListedProjects({ ofUser: none, shared: [{ place: 'a', list: none }] });
      assert.deepEqual(leftOut, []);
    }
  });

  it('are where the first list has them that names the entry', () => {
    const id = fc.constantFrom('p', ' p', 'q');
    const entry = fc.record({ id, apps: fc.array(fc.record({ id: fc.constantFrom('a', 'b') })) });
    const list = fc.option(fc.array(fc.oneof(entry, fc.anything())), { nil: undefined });
    fc.assert(
      fc.property(list, fc.array(list), (ofUser, shared) => {
        const listed = new ListedProjects({
          ofUser,
          shared: shared.map((one, place) => ({ place, list: one })),
        });
        const all = [...shared, ofUser].flatMap(readProjects);
        assert.deepEqual(new Set(listed.all.map((one) => one.id)), new Set(all.map((one) => one.id)));
        for (const ref of [{ projectId: 'p' }, { projectId: 'p', appId: 'b' }]) {
          const having = (found: (project: { id: string }) => boolean) => {
            const place = shared.findIndex((one) => readProjects(one).some(found));
            return place < 0 ? undefined : place;
          };
          const expected =
            having((one) => readProjects([one]).some((project) => hasEntry(project, ref))) ??
            having((one) => one.id === 'p') ??
            'user';
          assert.equal(listed.placeOf(ref), expected);
        }
      }),
    );
  });
});

describe('the projects of several folders', () => {
  const lists = [
    [{ id: 'p-1', apps: [{ id: 'a-1', name: 'echo' }] }, { id: 'p-2' }],
    [
      {
        id: 'p-1',
        name: 'Acme',
        serviceAccounts: [{ id: 'ci' }],
        apps: [{ id: 'a-1', name: 'another' }, { id: 'a-2' }],
      },
    ],
  ];
  const merged = mergedProjects(lists.flatMap(readProjects));

  it('are there once, with what any of them names; of the same the first counts', () => {
    assert.deepEqual(merged, [
      {
        id: 'p-1',
        name: 'Acme',
        serviceAccounts: [{ id: 'ci' }],
        apps: [{ id: 'a-1', name: 'echo' }, { id: 'a-2' }],
      },
      { id: 'p-2', serviceAccounts: [], apps: [] },
    ]);
  });

  it('lose only the accounts and apps that cannot be read', () => {
    const list = [
      { id: 'p-1', serviceAccounts: [{ name: 'no id' }, { id: 'ci' }], apps: [{ id: 1 }, { id: 'a-1' }] },
    ];
    assert.deepEqual(readProjects(list), [
      { id: 'p-1', serviceAccounts: [{ id: 'ci' }], apps: [{ id: 'a-1' }] },
    ]);
  });

  it('have each account and each app once, though one list names it twice', () => {
    const [project] = mergedProjects(
      readProjects([
        {
          id: 'p-1',
          serviceAccounts: [{ id: 'ci', name: 'first' }, { id: ' ci ' }],
          apps: [{ id: 'a' }, { id: 'a' }],
        },
        { id: 'p-1', serviceAccounts: [{ id: 'bot' }, { id: 'bot' }] },
      ]),
    );
    assert.deepEqual(project?.serviceAccounts, [{ id: 'ci', name: 'first' }, { id: 'bot' }]);
    assert.deepEqual(project.apps, [{ id: 'a' }]);
  });

  it('have what is meant, or do not', () => {
    const [project] = merged;
    assert.ok(project);
    const has = (ref: object) => hasEntry(project, { projectId: 'p-1', ...ref });
    assert.ok(has({}) && has({ serviceAccountId: 'ci' }) && has({ appId: 'a-2' }));
    assert.ok(!has({ projectId: 'p-2' }) && !has({ serviceAccountId: 'a-2' }) && !has({ appId: 'ci' }));
  });
});

describe('projects in the settings', () => {
  it('are read with what may be left out', () => {
    assert.deepEqual(readProjects([{ id: 'p-1' }]), [{ id: 'p-1', serviceAccounts: [], apps: [] }]);
  });

  it('keep their names and environments', () => {
    const project = {
      id: 'p-1',
      name: 'Acme',
      serviceAccounts: [{ id: 'sa-1', name: 'ci', environment: 'dev' }],
      apps: [{ id: 'a-1', name: 'hello' }],
    };
    assert.deepEqual(readProjects([project]), [project]);
  });

  it('are left out where they do not fit, without losing the others', () => {
    const hostile = [null, 7, 'p', {}, { id: '' }, { id: 3 }, { id: 'p', apps: [{}] }, { id: 'good' }];
    assert.deepEqual(
      readProjects(hostile).map((project) => project.id),
      ['p', 'good'],
    );
    for (const value of [undefined, null, 'x', {}, 3]) assert.deepEqual(readProjects(value), []);
  });
});

describe('the name of an app in the run path', () => {
  it('is its name, or its id where it has none', () => {
    assert.equal(appName({ id: 'a-1', name: 'hello' }), 'hello');
    assert.equal(appName({ id: 'a-1' }), 'a-1');
  });
});

describe('changes of the list of projects', () => {
  const odd = { note: 'mine' };
  const list = [odd, 7, { id: ' p-1 ', extra: true, apps: [{ id: 'a' }] }];

  it('keep what they do not know', () => {
    assert.deepEqual(addProject(list, { id: 'p-2', serviceAccounts: [], apps: [] }).slice(0, 3), list);
    assert.deepEqual(removeEntry(list, { projectId: 'p-1' }), [odd, 7]);
    assert.deepEqual(addChild(list, 'p-1', 'apps', { id: 'b' }), [
      odd,
      7,
      { id: ' p-1 ', extra: true, apps: [{ id: 'a' }, { id: 'b' }] },
    ]);
  });

  it('give an account another environment or name, or none', () => {
    const accounts = [{ id: 'a' }, { id: ' b ', name: 'bot', environment: 'dev' }];
    const before = [odd, { id: 'p-1', serviceAccounts: accounts, apps: [{ id: 'b', note: 1 }] }];
    const ref = { projectId: 'p-1', serviceAccountId: 'b' };
    const changed = (values: object) =>
      (changeEntry(before, ref, values)[1] as { serviceAccounts: object[] }).serviceAccounts;
    assert.deepEqual(changed({ environment: 'prod' }), [
      { id: 'a' },
      { id: ' b ', name: 'bot', environment: 'prod' },
    ]);
    assert.deepEqual(changed({ environment: undefined })[1], { id: ' b ', name: 'bot' });
    assert.deepEqual(changed({ name: 'robot' })[1], { id: ' b ', name: 'robot', environment: 'dev' });
    const app = { projectId: 'p-1', appId: 'b' };
    assert.deepEqual(changeEntry(before, app, { name: 'hello' })[1], {
      ...{ id: 'p-1', serviceAccounts: accounts },
      apps: [{ id: 'b', note: 1, name: 'hello' }],
    });
    for (const odds of [
      { ...ref, serviceAccountId: 'c' },
      { ...ref, projectId: 'p-2' },
      { ...app, appId: 'a' },
    ]) {
      assert.throws(() => changeEntry(before, odds, { name: 'x' }), UserError);
    }
  });

  it('reach an account or an app of a project that is there twice', () => {
    const twice = [
      { id: 'p-1', apps: [{ id: 'a' }] },
      { id: 'p-1', apps: [{ id: ' b ' }] },
    ];
    const [first] = twice;
    const ref = { projectId: 'p-1', appId: 'b' };
    assert.deepEqual(removeEntry(twice, ref), [first, { id: 'p-1', apps: [] }]);
    assert.deepEqual(changeEntry(twice, ref, { name: 'x' }), [
      first,
      { id: 'p-1', apps: [{ id: ' b ', name: 'x' }] },
    ]);
    assert.throws(() => removeEntry(twice, { projectId: 'p-1', appId: 'c' }), UserError);
    assert.throws(() => addChild(twice.slice(1), 'p-1', 'apps', { id: 'b' }), UserError);
  });

  it('take an account or an app away', () => {
    const before = [
      { id: 'p-1', serviceAccounts: [{ id: 'a' }, { id: 'b' }], apps: [{ id: 'a' }], extra: 1 },
    ];
    assert.deepEqual(removeEntry(before, { projectId: 'p-1', serviceAccountId: 'a' }), [
      { ...before[0], serviceAccounts: [{ id: 'b' }] },
    ]);
    assert.deepEqual(removeEntry(before, { projectId: 'p-1', appId: 'a' }), [{ ...before[0], apps: [] }]);
    assert.throws(() => removeEntry(before, { projectId: 'p-1', appId: 'b' }), UserError);
  });

  it('leave the list that they were given as it is', () => {
    const before = structuredClone(list);
    addChild(list, 'p-1', 'serviceAccounts', { id: 's' });
    assert.deepEqual(list, before);
  });

  it('are refused for what is there already, or is not', () => {
    assert.throws(() => addProject(list, { id: 'p-1', serviceAccounts: [], apps: [] }), UserError);
    assert.throws(() => addChild(list, 'p-1', 'apps', { id: 'a' }), UserError);
    assert.throws(() => addChild(list, 'nope', 'apps', { id: 'a' }), UserError);
    assert.throws(() => removeEntry(list, { projectId: 'nope' }), UserError);
  });
});

describe('a project that there is none of', () => {
  it('is offered to be added, and that of the sandbox to be started', () => {
    const offered = (id: string) => unknownProject(id).remedies.map(({ kind }) => kind);
    assert.deepEqual(offered('p-1'), ['addProject']);
    for (const id of ['p-sandbox', 'p-sandbox-2']) assert.deepEqual(offered(id), ['startSandbox']);
  });
});

describe('the addresses of a project', () => {
  const own = { baseUrl: 'https://api.example', proxyUrl: 'https://run.example' };

  const cases: [what: string, list: unknown, found: unknown][] = [
    ['both', [{ id: 'p-1', ...own }], own],
    [
      'with white space around them and the id',
      [{ id: ' p-1 ', baseUrl: ' https://api.example ' }],
      { baseUrl: 'https://api.example', proxyUrl: '' },
    ],
    [
      'one alone: the other is nobody else’s',
      [{ id: 'p-1', proxyUrl: own.proxyUrl }],
      { baseUrl: '', proxyUrl: own.proxyUrl },
    ],
    ['of an entry that does not fit otherwise', [{ id: 'p-1', apps: 7, ...own }], own],
    ['of the entry that names them', [{ id: 'p-1' }, { id: 'p-1', ...own }], own],
    ['none', [{ id: 'p-1' }], undefined],
    ['empty ones', [{ id: 'p-1', baseUrl: '', proxyUrl: ' ' }], undefined],
    ['what is no text', [{ id: 'p-1', baseUrl: 3, proxyUrl: null }], undefined],
    ['of another project', [{ id: 'p-2', ...own }], undefined],
    ['no list', { 0: { id: 'p-1', ...own } }, undefined],
    ['a list of anything', [null, 'p-1', ['p-1'], 7], undefined],
  ];
  for (const [what, list, found] of cases) {
    it(`are read: ${what}`, () => assert.deepEqual(ownServices(list).get('p-1'), found));
  }

  it('are set, changed and taken away, and nothing else is', () => {
    const list = [{ id: 'p-0', ...own }, 7, { id: 'p-1', name: 'Acme', note: 'mine' }];
    const set = setOwnService(list, { id: 'p-1' }, { baseUrl: own.baseUrl, proxyUrl: '' });
    assert.deepEqual(set, [list[0], 7, { id: 'p-1', name: 'Acme', note: 'mine', baseUrl: own.baseUrl }]);
    assert.deepEqual(setOwnService(set, { id: 'p-1' }, undefined), list);
  });

  it('make an entry where the list has none: the project is of a workspace', () => {
    assert.deepEqual(setOwnService([], { id: 'p-1', name: 'Acme' }, own), [
      { id: 'p-1', name: 'Acme', ...own },
    ]);
    assert.deepEqual(setOwnService([], { id: 'p-1' }, undefined), []);
  });

  it('are read back as they were set, whatever the list holds', () => {
    const address = fc.constantFrom('', own.baseUrl, own.proxyUrl);
    const service = fc.record({ baseUrl: address, proxyUrl: address }, { noNullPrototype: true });
    const entry = fc.oneof(
      fc.anything(),
      fc.record({ id: fc.constantFrom('p-1', ' p-1', 'p-2'), baseUrl: fc.anything(), proxyUrl: address }),
    );
    fc.assert(
      fc.property(fc.array(entry), service, (list, given) => {
        const isSet = given.baseUrl !== '' || given.proxyUrl !== '';
        const after = setOwnService(list, { id: 'p-1' }, given);
        assert.deepEqual(ownServices(after).get('p-1'), isSet ? given : undefined);
        assert.deepEqual(ownServices(after).get('p-2'), ownServices(list).get('p-2'));
      }),
    );
  });
});
