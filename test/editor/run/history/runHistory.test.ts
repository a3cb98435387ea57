import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { RunHistory } from '../../../../src/editor/run/history/runHistory.ts';
import { RunNodes } from '../../../../src/editor/run/history/runNodes.ts';
import { dayText } from '../../../../src/editor/kit/localeFormat.ts';
import type { Delivery, Verdict } from '../../../../src/contract/delivery.ts';
import type { RunInput } from '../../../../src/service/runs/run.ts';
import { timeOfDay } from '../../../../src/shared/text/durationText.ts';
import { MemoryRuns } from '../../../support/editor/memoryRuns.ts';

const input = {
  projectId: 'p',
  appName: 'echo',
  path: 'run',
  method: 'POST',
  headers: {},
  body: '{}',
  webhook: true,
};
const runIds = (history: RunHistory, appName = input.appName) =>
  history.list({ ...input, appName }).map(({ runId }) => runId);

describe('the history of runs', () => {
  /** Those of `count` runs, the newest first, that are kept. */
  const newest = (count: number) => Array.from({ length: 50 }, (_, index) => `run-${count - 1 - index}`);

  function run(history: RunHistory, count: number, from = 0): void {
    for (let index = 0; index < count; index += 1) {
      const begun = history.begin(input, from + index);
      history.identify(begun, `run-${index}`);
      history.end(begun, { kind: 'answered', status: 200, durationMs: 1, bytes: 2 });
    }
  }

  it('keeps the 50 newest of each app, in the view and over a restart', async () => {
    const kept = new MemoryRuns();
    const history = new RunHistory(kept);
    const other = history.begin({ ...input, appName: 'other' }, 0);
    history.identify(other, 'of-another-app');
    run(history, 60);
    const nodes = new RunNodes(history);
    assert.equal(nodes.of(input).length, 50);
    nodes.dispose();
    // The end of the window: what was not saved yet is.
    await history.leave();
    history.dispose();
    const restarted = new RunHistory(kept);
    for (const one of [history, restarted]) {
      assert.deepEqual(runIds(one), newest(60));
      assert.deepEqual(runIds(one, 'other'), ['of-another-app']);
    }
    run(restarted, 61, 100);
    assert.deepEqual(runIds(restarted), newest(61));
    restarted.dispose();
  });

  it('tells of each run that is erased, once all are gone', async () => {
    const history = new RunHistory(new MemoryRuns());
    run(history, 2);
    history.begin({ ...input, appName: 'other' }, 0);
    const told: string[] = [];
    history.onDidChange((changed) => told.push(`${changed.input.appName} ${history.all().length}`));
    await history.erase();
    assert.deepEqual(told, ['echo 0', 'echo 0', 'other 0']);
    history.dispose();
  });

  it('joins a delivery to a run that was kept over a restart, and to none that was let go', async () => {
    const kept = new MemoryRuns();
    const history = new RunHistory(kept);
    run(history, 60);
    await history.leave();
    history.dispose();
    const restarted = new RunHistory(kept);
    for (const runId of ['run-9', 'run-10']) restarted.noteDelivery(deliveryOf(runId));
    const joined = restarted.list(input).filter(({ delivery }) => delivery !== undefined);
    assert.deepEqual(
      joined.map(({ runId, delivery }) => [runId, delivery?.id, delivery?.verdict]),
      [['run-10', 'delivery of run-10', 'verified']],
    );
    restarted.dispose();
  });

  it('has the delivery of the service rather than one made here, and that rather than a forgery', () => {
    const history = new RunHistory(new MemoryRuns());
    run(history, 1);
    const came: [id: string, change: Partial<Delivery>, kept: string][] = [
      ['forged', { verdict: 'mismatch' }, 'forged'],
      ['made', { madeHere: true }, 'made'],
      ['forged again', { verdict: 'mismatch' }, 'made'],
      ['made again', { madeHere: true }, 'made again'],
      ['of the service', {}, 'of the service'],
      ['made at last', { madeHere: true }, 'of the service'],
    ];
    for (const [id, change, kept] of came) {
      history.noteDelivery({ ...deliveryOf('run-0'), id, ...change });
      assert.equal(history.list(input)[0]?.delivery?.id, kept);
    }
    history.dispose();
  });

  it('has a delivery as it was told of last, though it was asked for before', () => {
    const history = new RunHistory(new MemoryRuns());
    run(history, 1);
    const forward = { to: 'http://127.0.0.1:3000/', durationMs: 1, error: 'nothing listens there' };
    const delivery = deliveryOf('run-0');
    history.noteDelivery({ ...delivery, forward }, false);
    history.arrivedBefore(history.list(input)[0]!, [{ ...delivery, isForwarding: true }]);
    const { isForwarding, forward: kept } = history.list(input)[0]?.delivery ?? {};
    assert.deepEqual([isForwarding, kept?.error], [undefined, forward.error]);
    history.dispose();
  });

  it('has what its handler made of a delivery whose repeat was told of first', () => {
    const history = new RunHistory(new MemoryRuns());
    run(history, 1);
    const delivery = deliveryOf('run-0');
    history.noteDelivery({ ...delivery, id: 'repeat', repeatOf: delivery.id });
    const forward = { to: 'http://127.0.0.1:3000/', durationMs: 1, status: 500 };
    history.arrivedBefore(history.list(input)[0]!, [{ ...delivery, forward }]);
    const { id, forward: kept, repeats } = history.list(input)[0]?.delivery ?? {};
    assert.deepEqual([id, kept?.status, repeats], [delivery.id, 500, 1]);
    history.dispose();
  });

  it('keeps what came of a delivery that is removed, and leads to it no more', () => {
    const history = new RunHistory(new MemoryRuns());
    run(history, 1);
    history.noteDelivery(deliveryOf('run-0'));
    const nodes = new RunNodes(history);
    const row = () => nodes.of(input)[0]?.item;
    const before = row();
    assert.equal(before?.contextValue, 'run answered delivered received');
    history.forgetDeliveries();
    assert.equal(row()?.contextValue, 'run answered received');
    assert.deepEqual([row()?.description, row()?.tooltip], [before.description, before.tooltip]);
    nodes.dispose();
    history.dispose();
  });

  it('shows a run that the end of the window cut off as interrupted', async () => {
    const kept = new MemoryRuns();
    const history = new RunHistory(kept);
    history.begin(input, 0);
    await history.leave();
    history.dispose();
    const restarted = new RunHistory(kept);
    assert.equal(restarted.list(input)[0]?.outcome.kind, 'interrupted');
    restarted.dispose();
  });
});

describe('the rows of the history of runs', () => {
  it('have the time of a run of the last 24 hours, of last night too, and the date of an older one', () => {
    const labelOf = (startedAt: number) => {
      const history = new RunHistory(new MemoryRuns());
      history.begin(input, startedAt);
      const nodes = new RunNodes(history);
      const [row] = nodes.of(input);
      nodes.dispose();
      history.dispose();
      return row?.item.label;
    };
    const hourMs = 3_600_000;
    const lately = Date.now() - 23 * hourMs;
    assert.equal(labelOf(lately), timeOfDay(new Date(lately)));
    const before = Date.now() - 25 * hourMs;
    assert.equal(labelOf(before), dayText(before));
  });

  it('give the app the age of its delivery, as the row of that has', () => {
    const history = new RunHistory(new MemoryRuns());
    const run = history.begin(input, 1000);
    const nodes = new RunNodes(history);
    assert.equal(nodes.newest(input)?.at, 1000);
    history.identify(run, 'run-1');
    const receivedAt = '2026-11-20T12:00:00.000Z';
    history.noteDelivery({ id: 'd-1', runId: 'run-1', verdict: 'verified', receivedAt } as Delivery, true);
    assert.equal(nodes.newest(input)?.at, Date.parse(receivedAt));
    nodes.dispose();
    history.dispose();
  });

  it('say what became of the run, and what to do', () => {
    const row = rowOf(input, 401, [], '');
    assert.equal(row.description, '401 · not delivered');
    assert.equal((row.iconPath as vscode.ThemeIcon).id, 'warning');
    assert.match(row.tooltip as string, /^Not delivered: the run failed \(401\)\. Set a new token\.$/m);
  });

  it('counts repeats', () => {
    const texts = (count: number) => {
      const row = rowOf(input, 200, Array<Verdict>(count + 1).fill('verified'));
      const delivery = /^Delivery: .*$/m.exec(row.tooltip as string)?.[0];
      return [
        row.description,
        row.accessibilityInformation?.label.replace(`${row.label as string}, `, ''),
        delivery,
      ];
    };
    assert.deepEqual(texts(0), ['200 · verified', '200, verified', 'Delivery: verified']);
    assert.deepEqual(texts(1), [
      '200 · verified · ↻ 1',
      '200, verified, 1 repeat',
      'Delivery: verified · 1 repeat',
    ]);
    assert.equal(texts(2)[2], 'Delivery: verified · 2 repeats');
  });

  /** The row of a run that was answered and then delivered once for each verdict. */
  function rowOf(of: RunInput, status: number, verdicts: Verdict[], runId = 'run'): vscode.TreeItem {
    const history = new RunHistory(new MemoryRuns());
    const run = history.begin(of, 0);
    if (runId !== '') history.identify(run, runId);
    history.end(run, { kind: 'answered', status, durationMs: 1, bytes: 2 });
    for (const [index, verdict] of verdicts.entries()) {
      const repeat = index > 0 && { id: `repeat ${index}`, repeatOf: 'first' };
      history.noteDelivery({ ...deliveryOf('run'), verdict, ...repeat });
    }
    const nodes = new RunNodes(history);
    const [row] = nodes.of(of);
    nodes.dispose();
    history.dispose();
    return row!.item;
  }
});

function deliveryOf(runId: string): Delivery {
  const received = { receivedAt: '2026-01-01T00:00:00.000Z', method: 'POST', path: '/', headers: {} };
  const content = { body: '{}', bytes: 2, answered: 200 };
  return { id: `delivery of ${runId}`, runId, verdict: 'verified', ...received, ...content };
}
