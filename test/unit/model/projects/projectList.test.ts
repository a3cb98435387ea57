import assert from 'node:assert/strict';
import {
  addChild,
  addProject,
  changeEntry,
  removeEntry,
} from '../../../../src/model/projects/projectList.ts';
import { UserError } from '../../../../src/model/text/userError.ts';

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
