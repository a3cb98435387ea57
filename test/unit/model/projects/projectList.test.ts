import assert from 'node:assert/strict';
import {
  addChild,
  addProject,
  removeProject,
  setEnvironment,
} from '../../../../src/model/projects/projectList.ts';
import { UserError } from '../../../../src/model/text/userError.ts';

describe('changes of the list of projects', () => {
  const odd = { note: 'mine' };
  const list = [odd, 7, { id: ' p-1 ', extra: true, apps: [{ id: 'a' }] }];

  it('keep what they do not know', () => {
    assert.deepEqual(addProject(list, { id: 'p-2', serviceAccounts: [], apps: [] }).slice(0, 3), list);
    assert.deepEqual(removeProject(list, 'p-1'), [odd, 7]);
    assert.deepEqual(addChild(list, 'p-1', 'apps', { id: 'b' }), [
      odd,
      7,
      { id: ' p-1 ', extra: true, apps: [{ id: 'a' }, { id: 'b' }] },
    ]);
  });

  it('give an account another environment, or none', () => {
    const accounts = [{ id: 'a' }, { id: ' b ', name: 'bot', environment: 'dev' }];
    const before = [odd, { id: 'p-1', serviceAccounts: accounts }];
    const changed = (environment: string | undefined) =>
      setEnvironment(before, 'p-1', 'b', environment)[1] as { serviceAccounts: object[] };
    assert.deepEqual(changed('prod').serviceAccounts, [
      { id: 'a' },
      { id: ' b ', name: 'bot', environment: 'prod' },
    ]);
    assert.deepEqual(changed(undefined).serviceAccounts[1], { id: ' b ', name: 'bot' });
    assert.throws(() => setEnvironment(before, 'p-1', 'c', 'dev'), UserError);
    assert.throws(() => setEnvironment(before, 'p-2', 'b', 'dev'), UserError);
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
    assert.throws(() => removeProject(list, 'nope'), UserError);
  });
});
