import assert from 'node:assert/strict';
import { mergedProjects } from '../../../../src/model/projects/listedProjects.ts';
import { readProjects } from '../../../../src/model/projects/project.ts';
import { hasEntry } from '../../../../src/model/projects/projectList.ts';

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
