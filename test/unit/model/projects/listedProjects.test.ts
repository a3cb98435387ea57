import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ListedProjects, mostShared } from '../../../../src/model/projects/listedProjects.ts';
import { readProjects } from '../../../../src/model/projects/project.ts';
import { hasEntry } from '../../../../src/model/projects/projectList.ts';
import { cpuMs } from '../../../support/time/cpuTime.ts';
import '../../../support/random/seed.ts';

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

  it('of a workspace are the first ones, and how many are left out is known; of the user they are all', () => {
    const { projects: most, serviceAccounts, apps } = mostShared;
    const listed = new ListedProjects({
      ofUser: projects(most + 5, 'mine'),
      shared: [
        { place: 'a', list: projects(most - 1, 'a') },
        { place: 'b', list: projects(3, 'b') },
      ],
    });
    assert.equal(listed.leftOut, 2);
    assert.deepEqual(
      listed.shared.map((one) => one.projects.length),
      [most - 1, 1],
    );
    assert.equal(listed.all.filter(({ id }) => id.startsWith('mine')).length, most + 5);
    const many = (length: number) => Array.from({ length }, (_, at) => ({ id: String(at) }));
    const wide = { id: 'p', serviceAccounts: many(serviceAccounts + 3), apps: many(apps + 4) };
    const [first, second] = [wide, wide].map((one, place) => ({ place, list: [one] }));
    const both = new ListedProjects({ ofUser: undefined, shared: [first!, second!] });
    assert.equal(both.leftOut, 7 + serviceAccounts + apps + 7);
    assert.equal(both.byId.get('p')?.serviceAccounts.length, serviceAccounts);
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
