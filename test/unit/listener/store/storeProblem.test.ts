import assert from 'node:assert/strict';
import { StoreProblem } from '../../../../src/listener/store/storeProblem.ts';
import { systemError } from '../../../../src/listener/store/storeError.ts';
import { TestClock } from '../../../support/time/testClock.ts';

describe('a problem with the deliveries', () => {
  let told: (string | undefined)[];
  let clock: TestClock;
  let problem: StoreProblem;
  beforeEach(() => {
    told = [];
    clock = new TestClock();
    problem = new StoreProblem({ isOpen: true }, (error) => told.push(error?.message), clock);
  });
  const full = (path = 'a') => systemError('ENOSPC', `no space for ${path}`);

  it('is told once while it stays, however many requests meet it, and whatever file it names', () => {
    for (let time = 0; time < 2000; time += 1) problem.is(full(`file ${time}`));
    assert.deepEqual(told, ['ENOSPC: no space for file 0']);
    problem.over();
    problem.over();
    assert.deepEqual(told.slice(1), [undefined]);
  });

  it('is told again where it is another', () => {
    problem.is(full());
    problem.is(systemError('EIO', 'broken'));
    problem.is(full());
    problem.over();
    assert.deepEqual(told, ['ENOSPC: no space for a', 'EIO: broken', undefined]);
  });

  it('is told twice where it comes and goes with each request, and as over once it stays away', () => {
    for (let time = 0; time < 2000; time += 1) {
      problem.is(full());
      problem.over();
      clock.advance(5);
    }
    assert.deepEqual(told, ['ENOSPC: no space for a', undefined, 'ENOSPC: no space for a']);
    clock.advance(10_000);
    assert.deepEqual(told.slice(3), [undefined]);
    clock.advance(10_000);
    problem.is(full());
    problem.over();
    assert.equal(told.length, 6, 'long afterwards it is a new one');
  });

  it('is told of no more kinds than can be read', () => {
    for (let time = 0; time < 2000; time += 1) problem.is(new Error(`text ${time}`));
    assert.equal(told.length, 20);
  });
});
