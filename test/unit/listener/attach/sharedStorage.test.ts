import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sharedStorage } from '../../../../src/listener/attach/sharedStorage.ts';

describe('the storage that the windows of a workspace share', () => {
  const at = (workspace: string): string => join('/data/workspaceStorage', workspace, 'runhook.runhook');
  const shared = (workspace: string, ...there: string[]): string =>
    sharedStorage(at(workspace), (path) => there.some((one) => path === join('/data/workspaceStorage', one)));

  it('is that of the first window', () => {
    assert.equal(shared('5f3c', '5f3c'), at('5f3c'));
    assert.equal(shared('5f3c-1', '5f3c', '5f3c-1'), at('5f3c'));
    assert.equal(shared('-5f3c-9', '-5f3c'), at('-5f3c'));
  });

  it('is its own where no window is before it', () => {
    assert.equal(shared('5f3c-1', '5f3c-1'), at('5f3c-1'));
    assert.equal(shared('-5', ''), at('-5'));
    assert.equal(shared('5f3c-12', '5f3c'), at('5f3c-12'));
  });
});
