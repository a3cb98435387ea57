import assert from 'node:assert/strict';
import { appName, readProjects } from '../../../../src/model/projects/project.ts';

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
      ['good'],
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
