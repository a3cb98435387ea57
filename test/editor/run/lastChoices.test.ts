import assert from 'node:assert/strict';
import { LastChoices } from '../../../src/editor/run/lastChoices.ts';
import type { AppRef } from '../../../src/service/projects/project.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';

describe('the way in which ▶ runs an app', () => {
  const app = { projectId: 'p', appName: 'echo' };
  let canReach: boolean;
  let last: LastChoices;
  beforeEach(() => {
    canReach = false;
    last = new LastChoices(new MemoryMemento(), () => canReach);
  });

  it('follows what the service can reach while nobody has chosen one, also after a run', async () => {
    assert.equal(last.usual(app), 'here');
    await last.rememberWay(app, 'here');
    canReach = true;
    assert.equal(last.usual(app), 'webhook');
    await last.rememberWay(app, 'webhook');
    canReach = false;
    assert.equal(last.usual(app), 'here');
  });

  it('is the one that was chosen, or run in another way than the usual one', async () => {
    await last.chooseWay(app, 'here');
    canReach = true;
    assert.equal(last.usual(app), 'here');
    await last.rememberWay(app, 'plain');
    assert.equal(last.usual(app), 'plain');
  });

  it('is told where it changes, of one app or of all', async () => {
    const told: (AppRef | undefined)[] = [];
    last.onDidChangeWay((one) => told.push(one));
    await last.rememberWay(app, 'here');
    await last.chooseWay(app, 'plain');
    last.reachChanged();
    assert.deepEqual(told, [app, undefined]);
  });
});
