import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { SlowLists } from '../../../../../src/editor/projects/tree/slowLists.ts';

const ci = { projectId: 'p', serviceAccountId: 'ci' };
const release = { projectId: 'p', serviceAccountId: 'release' };

describe('lists that take their time', () => {
  let slow: string[];
  let lists: SlowLists;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    slow = [];
    lists = new SlowLists(500, ({ serviceAccountId }) => slow.push(serviceAccountId));
  });
  afterEach(() => {
    lists.dispose();
    mock.timers.reset();
  });

  it('are told once, each by itself', () => {
    lists.await(ci);
    mock.timers.tick(300);
    lists.await(release);
    mock.timers.tick(300);
    assert.deepEqual(slow, ['ci']);
    mock.timers.tick(10_000);
    assert.deepEqual(slow, ['ci', 'release']);
  });

  it('are not told where they come in time', () => {
    lists.await(ci);
    lists.await(release);
    lists.end(ci);
    mock.timers.tick(500);
    assert.deepEqual(slow, ['release']);
  });

  it('have their time anew with each request', () => {
    lists.await(ci);
    mock.timers.tick(400);
    lists.await(ci);
    mock.timers.tick(400);
    assert.deepEqual(slow, []);
    mock.timers.tick(100);
    assert.deepEqual(slow, ['ci']);
  });

  it('are not told any more once the view is gone', () => {
    lists.await(ci);
    lists.dispose();
    mock.timers.tick(10_000);
    assert.deepEqual(slow, []);
  });
});
