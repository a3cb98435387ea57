import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { RunHistory } from '../../../../src/editor/run/history/runHistory.ts';
import { RunNodes } from '../../../../src/editor/run/history/runNodes.ts';
import { SeriesTables } from '../../../../src/editor/run/series/seriesTables.ts';
import type { Run } from '../../../../src/model/runs/run.ts';
import { deliveryOf } from '../../../support/deliveries/deliveryOf.ts';
import { eventually } from '../../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../../support/editor/memoryMemento.ts';
import { answered, input, series } from '../../../support/deliveries/runSeries.ts';

describe('runs that were made many times, in the history', () => {
  let memento: MemoryMemento;
  let history: RunHistory;

  beforeEach(() => {
    memento = new MemoryMemento();
    history = new RunHistory(memento);
  });
  afterEach(() => history.dispose());

  function begin(count: number, id: string = series.id, body = '{}'): Run[] {
    return Array.from({ length: count }, (_, index) =>
      history.begin({ ...input, body }, index, { ...series, id, times: count, number: index + 1 }),
    );
  }
  /** As the next window finds it. */
  function reload(): void {
    history.dispose();
    history = new RunHistory(memento);
  }

  it('push out none that were made one by one, and are bounded themselves', () => {
    for (let index = 0; index < 50; index += 1) history.begin(input, index);
    for (const id of ['first', 'second', 'third']) begin(100, id);
    reload();
    const runs = history.list(input);
    assert.equal(runs.filter((run) => run.series === undefined).length, 50);
    const counts = ['first', 'second', 'third'].map((id) => history.ofSeries({ id }).length);
    assert.deepEqual(counts, [0, 100, 100]);
  });

  it('keep a large body once', () => {
    const body = JSON.stringify('x'.repeat(60 * 1024));
    const [, second] = begin(10, series.id, body);
    reload();
    const whole = history.ofSeries(series).filter(({ bodyDropped }) => bodyDropped === undefined);
    assert.deepEqual(
      whole.map((run) => run.series?.number),
      [1],
    );
    // Each of them is run again, or copied, with it.
    for (const id of [second!.id, series.id]) assert.equal(history.sent(id)?.input.body, body);
  });

  it('are one row that opens their table, with a row for each below it, and draw the view once', async () => {
    const nodes = new RunNodes(history, () => false);
    let drawn = 0;
    nodes.onDidChange(() => (drawn += 1));
    const single = history.begin(input, 0);
    const runs = begin(100);
    await eventually(() => (drawn > 0 ? true : undefined));
    assert.equal(drawn, 1);
    const [row, other, ...none] = nodes.of(input);
    assert.equal(row!.item.description, '100 × running');
    runs.forEach((run, index) => history.end(run, answered(index === 0 ? 503 : 200, 5)));
    const [ended] = nodes.of(input);
    assert.equal(ended!.item.description, '99 × 200 · 1 × 503');
    assert.equal((ended!.item.iconPath as vscode.ThemeIcon).id, 'warning');
    assert.equal(ended!.children?.().length, 100);
    const [uri] = ended!.item.command?.arguments as [vscode.Uri];
    assert.equal(uri.query, series.id);
    assert.deepEqual([other!.item.id, none.length], [`run ${single.id}`, 0]);
    nodes.dispose();
  });

  it('have their table over a reload, which says that it was interrupted', () => {
    const [first, second] = begin(5);
    history.end(first!, answered(200, 5));
    history.end(second!, { kind: 'failed', reason: 'reset', durationMs: 1 });
    reload();
    const tables = new SeriesTables(history);
    const { text, lenses } = tables.find(series.id)!;
    assert.match(text, /^Interrupted by a reload after 2 of 5 runs$/m);
    assert.match(text, /^Interrupted +3$/m);
    assert.match(lenses[0]!.title, /Run 5 Times Again/);
    assert.equal(tables.find('another'), undefined);
    tables.dispose();
  });

  it('are joined to their deliveries, and to what the app answered, in whatever order that is told', () => {
    const [run] = begin(2);
    history.identify(run!, 'run-1');
    const delivery = { ...deliveryOf('d-1'), runId: 'run-1' };
    const repeat = { ...delivery, id: 'd-2', repeatOf: 'd-1', receivedAt: '2099-01-01T00:00:00.000Z' };
    const forward = { to: 'http://127.0.0.1:1/', status: 500, durationMs: 1 };
    history.noteDelivery(repeat);
    history.noteDelivery(delivery);
    history.noteDelivery({ ...delivery, forward }, false);
    const { id, receivedAt, repeats } = run!.delivery!;
    assert.deepEqual([id, receivedAt, repeats], ['d-1', delivery.receivedAt, 1]);
    assert.deepEqual(run!.delivery!.forward, { status: 500 });
    // More is known of the repeat, which is the last that the app was handed.
    history.noteDelivery({ ...repeat, forward: { ...forward, status: 200 } }, false);
    assert.deepEqual([run!.delivery!.repeats, run!.delivery!.forward], [1, { status: 200 }]);
  });
});
