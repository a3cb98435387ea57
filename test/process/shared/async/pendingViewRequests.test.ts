import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { PendingViewRequests } from '../../../../src/shared/async/pendingViewRequests.ts';
import { blockThread } from '../../../support/processes/blockThread.ts';

/** As the editor: what is asked for again before the answer has come is not asked for twice. */
class View {
  shown: number | undefined;
  #asking: Promise<void> | undefined;
  readonly #answer: () => Promise<number>;

  constructor(answer: () => Promise<number>) {
    this.#answer = answer;
  }

  ask(): Promise<void> {
    this.#asking ??= this.#answer()
      .then((answer) => pause(10, answer))
      .then((answer) => {
        this.shown = answer;
        this.#asking = undefined;
      });
    return this.#asking;
  }
}

const reached = (): Promise<void> => Promise.resolve();

describe('the answers to a view', () => {
  for (const takesMs of [0, 5, 40]) {
    for (const changesAfterMs of [0, 3, 20, 60]) {
      it(`have come before it is told of a change, made in ${takesMs} ms, changed after ${changesAfterMs}`, async () => {
        let truth = 1;
        const answers = new PendingViewRequests(reached);
        const view = new View(() => {
          const now = truth;
          return answers.give(pause(takesMs, now));
        });
        const asked = view.ask();
        await pause(changesAfterMs);
        truth = 2;
        await answers.taken();
        await view.ask();
        await asked;
        assert.equal(view.shown, 2);
      });
    }
  }

  for (const takesMs of [11, 14, 17]) {
    it(`have come where the process stands still right after one that took ${takesMs} ms`, async () => {
      let truth = 1;
      const answers = new PendingViewRequests(reached);
      const view = new View(() => {
        const now = truth;
        return answers.give(pause(takesMs, now)).finally(() => void setImmediate(() => blockThread(150)));
      });
      const asked = view.ask();
      const taken = answers.taken();
      truth = 2;
      await taken;
      await view.ask();
      await asked;
      assert.equal(view.shown, 2);
    });
  }

  it('have come where the window stands still for longer than an answer takes to be drawn', async () => {
    let truth = 1;
    // What reaches the window does so in order, once it goes on.
    const window = pause(400);
    const answers = new PendingViewRequests(() => window);
    const view = new View(() => {
      const now = truth;
      return answers.give(Promise.resolve(now)).then((answer) => window.then(() => answer));
    });
    const asked = view.ask();
    truth = 2;
    await answers.taken();
    await view.ask();
    await asked;
    assert.equal(view.shown, 2);
  });

  it('are waited for no longer where the window is gone', async () => {
    const answers = new PendingViewRequests(() => Promise.reject(new Error('The window is gone.')));
    answers.given();
    assert.equal(await Promise.race([answers.taken().then(() => 'told'), pause(2000, 'late')]), 'told');
  });

  it('are not waited for where there is none', async () => {
    const answers = new PendingViewRequests(reached);
    assert.equal(await Promise.race([answers.taken().then(() => 'told'), pause(1000, 'late')]), 'told');
  });
});
