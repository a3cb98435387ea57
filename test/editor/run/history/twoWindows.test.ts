import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { RunFiles } from '../../../../src/editor/run/history/runFiles.ts';
import { RunHistory } from '../../../../src/editor/run/history/runHistory.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';
import { input } from '../../../support/deliveries/runInput.ts';
import { eventually } from '../../../support/editor/inEditor.ts';
import '../../../support/random/seed.ts';

describe('the runs of two windows of one folder', () => {
  const answered = { kind: 'answered', status: 200, durationMs: 1, bytes: 2 } as const;
  const open = new Set<RunHistory>();
  const gone = new Set<number>();
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runhook-runs-'));
    gone.clear();
  });
  afterEach(async () => {
    for (const one of open) await close(one);
    await rm(folder, { recursive: true });
  });

  function window(own: number): RunHistory {
    const files = new RunFiles(join(folder, 'runs'), (error) => assert.fail(String(error)));
    const history = new RunHistory(files, [], { own, isThere: (one) => !gone.has(one) });
    open.add(history);
    return history;
  }
  async function close(history: RunHistory): Promise<void> {
    open.delete(history);
    await history.leave();
    history.dispose();
  }
  const outcomes = (history: RunHistory) => history.list(input).map(({ outcome }) => outcome.kind);
  const has = (history: RunHistory, ...kinds: string[]) =>
    eventually(() => (String(outcomes(history)) === String(kinds) ? true : undefined));

  it('are shown in both, as they go on, end, are delivered and removed', async () => {
    const [one, other] = [window(1), window(2)];
    const run = one.begin(input, 0);
    one.identify(run, 'run-1');
    await has(other, 'running');
    assert.equal(other.isOwn(other.sent(run.id)!), false);
    one.end(run, answered);
    await has(other, 'answered');
    other.noteDelivery(deliveryOf('d-1', { runId: 'run-1' }));
    await eventually(() => (run.delivery?.id === 'd-1' ? true : undefined));
    await one.clear(input);
    await has(other);
    other.noteDelivery(deliveryOf('d-1', { runId: 'run-1' }), false);
    await close(other);
    assert.deepEqual(outcomes(window(3)), []);
  });

  it('go on while their window is there, and are interrupted once it is gone', async () => {
    window(1).begin(input, 0);
    const other = window(2);
    await has(other, 'running');
    await close(other);
    assert.deepEqual(outcomes(window(3)), ['running']);
    gone.add(1);
    assert.deepEqual(outcomes(window(4)), ['interrupted']);
  });

  it('lose none, in whatever order their windows write, close and open', async function () {
    this.timeout(120_000);
    const step = fc.record({ at: fc.nat(2), does: fc.constantFrom('begin', 'end', 'reload', 'save') });
    const check = async (steps: { at: number; does: string }[]): Promise<void> => {
      const windows = [window(1), window(2), window(3)];
      let [begun, id] = [0, 3];
      for (const { at, does } of steps) {
        const history = windows[at]!;
        if (does === 'begin') history.begin(input, (begun += 1));
        const own = history.list(input).find((run) => history.isOwn(run) && run.outcome.kind === 'running');
        if (does === 'end' && own !== undefined) history.end(own, answered);
        if (does === 'save') await new Promise((resolve) => setImmediate(resolve));
        if (does === 'reload') {
          await close(history);
          windows[at] = window((id += 1));
        }
      }
      for (const one of windows) await close(one);
      const after = window(0);
      assert.deepEqual(
        after.list(input).map(({ startedAt }) => startedAt),
        Array.from({ length: begun }, (_, index) => begun - index),
      );
      await after.clear(input);
      await close(after);
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), check), { numRuns: 50 });
  });
});
