import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Attempt, WholeDelivery } from '../../../src/contract/delivery.ts';
import { DeliveriesTree } from '../../../src/editor/deliveries/view/deliveriesView.ts';
import { deliveryRow, type DeliveryNode } from '../../../src/editor/deliveries/view/deliveryItem.ts';
import { watchAges } from '../../../src/editor/kit/tree.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { DeliveriesRig } from '../../support/editor/deliveriesRig.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { waitFor } from '../../support/time/waitFor.ts';
import { eventually } from '../../support/editor/inEditor.ts';

const some = (count: number, more: Partial<WholeDelivery> = {}): WholeDelivery[] =>
  Array.from({ length: count }, (_, at) => deliveryOf(`d-${count - at}`, more));

describe('the view of the deliveries', () => {
  let rig: DeliveriesRig;
  afterEach(() => rig.view.dispose());

  const shows = (...ids: string[]) =>
    waitFor(ids.join(' '), () => ids.length === rig.ids.length && ids.every((id, at) => rig.ids[at] === id));
  const hasMore = () => rig.rows.at(-1)?.delivery === undefined;

  it('shows the newest 200, and 200 more with each "Load More"', async () => {
    rig = new DeliveriesRig(some(450));
    await waitFor('the deliveries', () => rig.ids.length === 200);
    assert.deepEqual([rig.ids[0], rig.ids[199], hasMore()], ['d-450', 'd-251', true]);
    await rig.view.loadMore();
    assert.deepEqual([rig.ids.length, hasMore()], [400, true]);
    await rig.view.loadMore();
    assert.deepEqual([rig.ids.length, hasMore(), rig.ids.at(-1)], [450, false, 'd-1']);
  });

  it('focuses the first row that "Load More" has loaded, whatever arrives meanwhile', async () => {
    const receivedAt = new Date(Date.now() - 60_000).toISOString();
    rig = new DeliveriesRig(some(450, { receivedAt }));
    await waitFor('the deliveries', () => rig.ids.length === 200);
    assert.deepEqual(rig.focused, []);
    await rig.view.loadMore();
    assert.deepEqual(rig.focused, ['d-250']);
    rig.arrive(deliveryOf('new', { receivedAt: new Date().toISOString() }));
    await rig.view.loadMore();
    assert.deepEqual(rig.focused, ['d-250', 'd-50']);
  });

  it('says why the listener failed even where nothing is kept, and whole in its tooltip', () => {
    rig = new DeliveriesRig();
    const reason = `${'The port is taken. '.repeat(12)}Choose another.`;
    rig.state = { kind: 'failed', reason };
    const [row, ...rest] = rig.rows;
    assert.equal(rest.length, 0);
    assert.match(String(rig.item(row).description), /^The port is taken/);
    assert.equal(rig.item(row).tooltip, `${reason}\nNo webhook can arrive. Start the listener.`);
    rig.state = { kind: 'stopped' };
    assert.deepEqual(rig.rows, [], 'the empty view says more');
  });

  it('says app, outcome and time to a screen reader, and no ids', () => {
    const { item } = deliveryRow(deliveryOf('d-1', { appName: 'echo', runId: 'run-8f3c21' }), [], false, 0);
    assert.match(item.accessibilityInformation!.label, /^echo, verified, \d\d:\d\d:\d\d$/);
  });

  it('says of a refused one that was replayed what the handler returned, before its age', () => {
    const at = '2026-11-20T12:00:00.000Z';
    const attempt = { at, to: 'http://localhost:3000/', status: 200, durationMs: 3, kind: 'replay' as const };
    const reason = 'body changed: one byte more';
    const delivery = deliveryOf('d-1', {
      verdict: 'mismatch',
      reason,
      receivedAt: at,
      attempts: [attempt],
      forward: attempt,
    });
    const { item } = deliveryRow(delivery, [], false, Date.parse(at) + 360_000);
    assert.equal(item.description, 'handler 200 · mismatch · 6 min');
  });

  it('has in its tooltip the time of the outcome that it tells', () => {
    const sent = { to: 'http://localhost:3000/', durationMs: 3 };
    const came = { ...sent, at: '2026-11-20T12:00:00.003Z', status: 200, kind: 'replay' as const };
    const edited = { ...sent, at: '2026-11-20T12:07:00.000Z', status: 401, kind: 'unsigned' as const };
    const delivery = deliveryOf('d-1', { attempts: [came, edited], forward: came });
    const { tooltip } = deliveryRow(delivery, [], false, Date.parse(edited.at)).item;
    assert.ok(typeof tooltip === 'string');
    assert.match(tooltip, /:00:00 · .* returned 200/);
  });

  it('has the line below it at which the last attempt failed, and nothing to unfold without one', async () => {
    const at = '2026-11-20T12:00:00.000Z';
    const to = 'http://localhost:3000/';
    const failed = { at, to, status: 500, durationMs: 3, kind: 'forward' as const };
    const thrown = { ...failed, failedAt: { file: '/handler.mjs', line: 6, message: 'TypeError: x' } };
    const later = { ...failed, kind: 'replay' as const, status: 503 };
    const row = (attempts: Attempt[]) =>
      deliveryRow(deliveryOf('d-1', { attempts, forward: attempts.at(-1)! }), [], false, Date.parse(at));
    const below = async (attempts: Attempt[]) =>
      (await row(attempts).children!()).map(({ item: { label = '' } }) =>
        typeof label === 'string' ? label : label.label,
      );
    assert.match((await below([thrown]))[0] ?? '', /^handler\.mjs:6/);
    assert.deepEqual(await below([failed]), []);
    assert.equal(row([failed]).item.collapsibleState, vscode.TreeItemCollapsibleState.None);
    assert.ok((await below([thrown, later])).every((label) => !label.startsWith('handler.mjs')));
  });

  it('is good below it where what was sent unsigned was rejected, and not where it was accepted', async () => {
    const at = '2026-11-20T12:00:00.000Z';
    const attempts = [200, 401, 500].map((status) => {
      return { at, to: 'http://localhost:3000/', status, durationMs: 3, kind: 'unsigned' as const };
    });
    const row = deliveryRow(deliveryOf('d-1', { attempts }), [], false, Date.parse(at));
    const below = (await row.children!()).map(({ item: { description, iconPath } }) => [
      String(description).replace(/ · .*/, ''),
      (iconPath as vscode.ThemeIcon).color?.id,
    ]);
    assert.deepEqual(below, [
      ['unsigned', 'problemsWarningIcon.foreground'],
      ['unsigned: rejected', 'charts.green'],
      ['unsigned: accepted', 'problemsWarningIcon.foreground'],
    ]);
  });

  it('counts the seconds of what waits in the handler, and draws no other row for that', () => {
    rig = new DeliveriesRig();
    const at = '2026-11-20T12:00:00.000Z';
    let now = Date.parse(at) + 2000;
    const waiting = { receivedAt: at, waitingSince: at, isForwarding: true as const };
    const deliveries = [deliveryOf('d-2', waiting), deliveryOf('d-1', { receivedAt: at })];
    const tree = new DeliveriesTree(
      () => ({ deliveries, hasMore: false }),
      () => now,
    );
    const [row] = tree.getChildren();
    const drawn: (readonly DeliveryNode[])[] = [];
    tree.onDidChangeTreeData((nodes) => drawn.push(nodes ?? []));
    now += 1000;
    tree.countSeconds();
    assert.deepEqual(drawn, [[row]]);
    assert.equal(row!.item.description, 'waiting in handler · 3 s');
    now += 60_000;
    tree.countSeconds();
    assert.deepEqual(drawn, [[row], [row]], 'the age of the other counts in minutes, and is drawn with all');
  });

  it('shows what was too large among what arrived, with what takes the next', () => {
    rig = new DeliveriesRig();
    const at = '2026-11-20T12:00:10.000Z';
    const reason = 'its body is larger than 1000 bytes: set "runhook.listener.maxBodyBytes" to take it';
    const unkept = [{ at, status: 413 as const, method: 'POST', reason, runId: 'run-7' }];
    const tree = new DeliveriesTree(
      () => ({ deliveries: [], hasMore: false, unkept }),
      () => Date.parse(at) + 10_000,
    );
    const [row, ...others] = tree.getChildren();
    assert.deepEqual(others, []);
    const { label, description, tooltip, command } = row!.item;
    assert.deepEqual([label, description], ['–', 'body too large · now']);
    assert.equal(tooltip, `413: ${reason}\nRun id run-7`);
    assert.equal(command?.command, 'runhook.openRunAnswer');
  });

  it('shows what broke off among what arrived, and draws anew the rows whose age has changed', () => {
    rig = new DeliveriesRig();
    let now = Date.parse('2026-11-20T12:00:30.000Z');
    const deliveries = [
      deliveryOf('d-2', { appName: 'echo', receivedAt: '2026-11-20T12:00:20.000Z' }),
      deliveryOf('d-1', { appName: 'echo', receivedAt: '2026-11-20T11:30:00.000Z' }),
    ];
    const unkept = [
      { at: '2026-11-20T11:20:00.000Z', bytes: 1 },
      { at: '2026-11-20T11:20:10.000Z', bytes: 2 },
      { at: '2026-11-20T12:00:10.000Z', bytes: 812, runId: 'run-7', wasLate: true as const },
    ];
    const tree = new DeliveriesTree(
      () => ({ deliveries, hasMore: false, unkept }),
      () => now,
    );
    const texts = (nodes: readonly DeliveryNode[]) =>
      nodes.map(({ item }) => `${item.label as string} ${String(item.description)}`);
    const rows = tree.getChildren();
    const [late, broken, early, ...earlier] = texts(rows);
    assert.deepEqual([late, broken], ['echo verified · now', '– broke off after 812 bytes · now']);
    assert.equal(early, 'echo verified · 30 min');
    assert.deepEqual(earlier, ['– broke off after 2 bytes · 40 min', '– broke off after 1 byte · 40 min']);
    const { tooltip, command } = tree.getTreeItem(rows[1]!);
    assert.equal(tooltip, 'broke off after 812 bytes: the rest did not arrive in time\nRun id run-7');
    assert.equal(command?.command, 'runhook.openRunAnswer');
    const drawn: (readonly DeliveryNode[])[] = [];
    tree.onDidChangeTreeData((nodes) => drawn.push(nodes ?? []));
    tree.age();
    assert.equal(drawn.length, 0);
    now += 25_000;
    tree.age();
    assert.equal(drawn.length, 0);
    now += 20_000;
    tree.age();
    assert.equal(drawn.length, 1);
    assert.deepEqual(
      drawn[0]!.map((one) => rows.indexOf(one)),
      [1, 2, 3, 4],
    );
    assert.deepEqual(texts(drawn[0]!), [
      '– broke off after 812 bytes · 1 min',
      'echo verified · 31 min',
      '– broke off after 2 bytes · 41 min',
      '– broke off after 1 byte · 41 min',
    ]);
    tree.dispose();
  });

  it('shows nothing of what was deleted, though the program that deleted it has gone', async () => {
    rig = new DeliveriesRig(some(1));
    await shows('d-1');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    rig.held = promise;
    rig.arrive(deliveryOf('d-2'));
    await waitFor('the question', () => rig.asked.length === 2);
    rig.isAttached = false;
    rig.clear();
    assert.deepEqual([rig.ids, rig.view.hits], [[], '0 of 0']);
    // What it had asked for before comes late.
    resolve(undefined);
    await new Promise(setImmediate);
    assert.deepEqual(rig.ids, []);
  });

  it('shows what broke off as the program remembers it, until all is cleared', async () => {
    const labels = () => rig.rows.map(({ item }) => String(item.description));
    const broken = { at: new Date().toISOString(), bytes: 812 };
    rig = new DeliveriesRig(some(1));
    await waitFor('the delivery', () => rig.rows.length === 1);
    rig.breakOff(broken);
    await waitFor('the row', () => labels().includes('broke off after 812 bytes · now'));
    rig.clear();
    await waitFor('the end of the rows', () => rig.rows.length === 0);
  });

  it('shows no more rows for a burst, and asks for it a few times', async () => {
    rig = new DeliveriesRig();
    await waitFor('the first answer', () => rig.asked.length === 1);
    for (let at = 1; at <= 201; at += 1) rig.arrive(deliveryOf(`d-${at}`));
    await waitFor('the burst', () => rig.ids.length === 200);
    assert.deepEqual([rig.ids[0], hasMore()], ['d-201', true]);
    assert.ok(rig.asked.length <= 3, `${rig.asked.length} searches`);
  });

  it('shows what arrives soon after the program has started, however long that took', async () => {
    rig = new DeliveriesRig();
    await waitFor('the first answer', () => rig.asked.length === 1);
    rig.isAttached = false;
    rig.held = new Promise((resolve) => setTimeout(resolve, 1000));
    await rig.view.setFilter({});
    rig.isAttached = true;
    rig.held = Promise.resolve();
    const arrived = performance.now();
    rig.arrive(deliveryOf('d-1'));
    await shows('d-1');
    const tookMs = performance.now() - arrived;
    assert.ok(tookMs < 5000, `It took ${tookMs} ms.`);
  });

  it('shows what arrives while it asks, and what comes meanwhile to an older question not at all', async () => {
    rig = new DeliveriesRig();
    const held = Promise.withResolvers<undefined>();
    await waitFor('the first answer', () => rig.asked.length === 1);
    rig.held = held.promise;
    rig.arrive(deliveryOf('d-1'));
    await waitFor('the question', () => rig.asked.length === 2);
    rig.arrive(deliveryOf('d-2'));
    rig.held = Promise.resolve();
    held.resolve(undefined);
    await shows('d-2', 'd-1');
    const slow = Promise.withResolvers<undefined>();
    rig.held = slow.promise;
    const older = rig.view.setFilter({ verdict: 'mismatch' });
    rig.held = Promise.resolve();
    await rig.view.setFilter({});
    slow.resolve(undefined);
    await older;
    assert.deepEqual(rig.ids, ['d-2', 'd-1']);
  });

  it('shows what fits the filter, of old ones and new ones, and counts all of it', async () => {
    rig = new DeliveriesRig([deliveryOf('d-2', { verdict: 'mismatch' }), ...some(1)]);
    await rig.view.setFilter({ verdict: 'mismatch' });
    assert.deepEqual([rig.ids, rig.view.hits], [['d-2'], '1 of 2']);
    rig.arrive(deliveryOf('d-3'), deliveryOf('d-4', { verdict: 'mismatch' }));
    await shows('d-4', 'd-2');
    assert.equal(rig.view.hits, '2 of 4');
    // It stands below its first: two rows, of three.
    rig.arrive(deliveryOf('d-5', { verdict: 'mismatch', repeatOf: 'd-4' }));
    await eventually(() => rig.view.hits === '3 of 5, 1 repeat' || undefined);
  });

  it('has its filter after a reload too, and says so', async () => {
    const memento = new MemoryMemento();
    const all = [deliveryOf('d-2', { verdict: 'mismatch' }), ...some(1)];
    rig = new DeliveriesRig(all, memento);
    await rig.view.setFilter({ verdict: 'mismatch' });
    rig.view.dispose();
    rig = new DeliveriesRig(all, memento);
    await shows('d-2');
    assert.equal(rig.shown.message, '1 of 2 · verdict:mismatch');
    await rig.view.setFilter({});
    rig.view.dispose();
    rig = new DeliveriesRig(all, memento);
    await shows('d-2', 'd-1');
  });

  it('shows what failed in the handler until that took it', async () => {
    rig = new DeliveriesRig(some(3));
    await rig.view.setFilter({ failed: true });
    assert.deepEqual(rig.ids, []);
    const forward = { to: 'http://localhost:3000', durationMs: 1 };
    rig.change('d-3', { forward: { ...forward, status: 500 } });
    rig.change('d-1', { forward });
    rig.change('d-2', { forward: { ...forward, status: 200 } });
    await shows('d-3', 'd-1');
    rig.change('d-3', { forward: { ...forward, status: 200 } });
    await shows('d-1');
  });

  it('shows repeats under their first, the oldest repeat first, and one whose first is not there by itself', async () => {
    rig = new DeliveriesRig(some(2));
    rig.arrive(deliveryOf('d-3', { repeatOf: 'd-1' }), deliveryOf('d-4', { repeatOf: 'd-1' }));
    rig.arrive(deliveryOf('d-5', { repeatOf: 'gone' }));
    await shows('d-5', 'd-2', 'd-1');
    const below = await rig.tree?.getChildren(rig.rows[2]);
    assert.deepEqual(
      below?.map((node) => node.delivery?.id),
      ['d-3', 'd-4'],
    );
  });

  it('has the ages looked at as soon as it is seen again', () => {
    const visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    let looks = 0;
    const watched = watchAges(
      { visible: false, onDidChangeVisibility: visibility.event },
      () => (looks += 1),
    );
    visibility.fire({ visible: true });
    visibility.fire({ visible: false });
    assert.equal(looks, 1);
    watched.dispose();
    visibility.fire({ visible: true });
    assert.equal(looks, 1);
    visibility.dispose();
  });

  it('asks nothing while nobody sees it, nor of a program that has gone', async () => {
    rig = new DeliveriesRig(some(1));
    await shows('d-1');
    const seen = new DeliveriesRig();
    try {
      await waitFor('the other view', () => seen.asked.length === 1);
      /** Both are told of one, and the view that is seen has asked for it. */
      const arrive = async (id: string): Promise<void> => {
        const { length } = seen.asked;
        for (const one of [rig, seen]) one.arrive(deliveryOf(id));
        await waitFor('the other view', () => seen.asked.length > length);
      };
      rig.setVisible(false);
      await arrive('d-2');
      assert.equal(rig.asked.length, 1);
      rig.setVisible(true);
      await shows('d-2', 'd-1');
      rig.isAttached = false;
      await arrive('d-3');
      assert.deepEqual([rig.asked.length, rig.ids.length], [2, 2]);
      rig.isAttached = true;
      rig.clear();
      await shows();
    } finally {
      seen.view.dispose();
    }
  });
});
