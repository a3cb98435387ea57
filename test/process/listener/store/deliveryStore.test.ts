import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import { repeatHash } from '../../../../src/listener/store/repeatTable.ts';
import type { KeptDelivery, NewDelivery, Standing } from '../../../../src/deliveries/keptDelivery.ts';
import { cpuMs } from '../../../support/time/cpuTime.ts';
import { add, ids, kept, refused, StoreRig } from '../../../support/listener/storeRig.ts';

describe('the deliveries that are kept', () => {
  let rig: StoreRig;
  beforeEach(() => {
    rig = new StoreRig();
  });
  afterEach(() => rig.end());

  const store = (keep?: number): DeliveryStore => rig.store(keep);

  it('are told of when they are on the disk, all of a turn together, and read byte for byte', async () => {
    const here = store();
    const body = Buffer.from([0, 255, 10, 13, 0]);
    const rawHeaders = ['X-Request-Id', 'r', 'X-Odd', 'caf\u00e9 \u00ff'];
    const one = kept('a', { body, rawHeaders, reason: 'why', path: '/p?q=%00' });
    const told: string[] = [];
    here.add(one, () => told.push('a'), assert.ifError);
    here.add(kept('b'), () => told.push('b'), assert.ifError);
    assert.deepEqual(told, []);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(told, ['a', 'b']);
    here.close();
    const read = store().kept('a');
    assert.deepEqual({ ...read, body: Buffer.from(read.body) }, one);
  });

  describe('by their standing', () => {
    it('leave 32 MB to what was refused, however few that are', () => {
      const here = store();
      add(here, kept('v', { body: Buffer.alloc(9 << 20) }));
      for (let at = 0; at < 6; at += 1) add(here, refused(`r${at}`, Buffer.alloc(10 << 20)));
      assert.deepEqual(ids(here), ['r5', 'r4', 'r3', 'v']);
    });

    it('leave the newest that was refused, be it larger than that', () => {
      const here = store();
      add(here, refused('r0'), refused('large', Buffer.alloc((32 << 20) + 1)));
      assert.deepEqual(ids(here), ['large']);
      add(here, refused('r1'));
      assert.deepEqual(ids(here), ['r1']);
    });

    it('wait for the windows, which are told of all that verified before it goes', () => {
      let publishedUntil = 0;
      const here = rig.store(2, () => publishedUntil);
      add(here, ...Array.from({ length: 5 }, (_, at) => kept(`v${at}`)));
      here.trim();
      assert.equal(here.changedAfter(0, 9).length, 5);
      publishedUntil = here.revision ?? 0;
      here.trim();
      assert.deepEqual(ids(here), ['v4', 'v3']);
      assert.equal(here.changedAfter(0, 9).length, 2);
    });

    it('stay while they wait to be forwarded, four times as many: then the oldest goes, which is said once a minute', () => {
      const here = store(5);
      const waiting = (id: string) => ({ ...kept(id), forwardTo: 'http://127.0.0.1/' });
      const all = Array.from({ length: 20 }, (_, at) => `w${at}`);
      add(here, ...all.map(waiting), ...Array.from({ length: 9 }, (_, at) => kept(`v${at}`)));
      const others = ['v4', 'v5', 'v6', 'v7', 'v8'];
      const left = (): string[] => here.changedAfter(0, 99).map((row) => row.delivery.id);
      assert.deepEqual(left(), [...all, ...others], 'they displace none of the others');
      assert.deepEqual(rig.unforwarded, []);
      add(here, waiting('one'), waiting('more'));
      assert.deepEqual(left().slice(0, 2), ['w2', 'w3']);
      assert.deepEqual(rig.unforwarded, [2]);
      add(here, waiting('again'));
      add(here, waiting('and again'));
      assert.deepEqual(rig.unforwarded, [2]);
      rig.clock += 60_000;
      add(here, waiting('later'));
      assert.deepEqual(rig.unforwarded, [2, 3]);
      add(here, waiting('last'));
      const attempt = { kind: 'forward', to: 'http://127.0.0.1/', status: 200, durationMs: 1 } as const;
      for (const id of left()) here.note({ id, attempt });
      here.flush();
      assert.deepEqual(left(), ['more', 'again', 'and again', 'later', 'last']);
      here.close();
      assert.deepEqual(rig.unforwarded, [2, 3, 1]);
    });
  });

  describe('are repeats of the first', () => {
    const body = Buffer.from('{}');
    const hash = repeatHash('r', body);
    const again = (id: string, standing: Standing = 'verified'): NewDelivery => ({
      ...kept(id, { rawHeaders: ['X-Request-Id', 'r'], body, standing }),
      ...(standing === 'verified' && { recognised: { hash, until: Number.MAX_SAFE_INTEGER } }),
    });
    const firstOf = (here: DeliveryStore, requestId = 'r', bytes = body): string | undefined =>
      here.firstOf({ path: '/', hash: repeatHash(requestId, bytes) })?.id;

    it('that verified, also in the same turn and after a restart', () => {
      const here = store();
      assert.equal(firstOf(here), undefined);
      here.add(again('a'), () => undefined, assert.ifError);
      assert.equal(firstOf(here), 'a', 'in the same turn');
      add(here, { ...again('b'), repeatOf: 'a' });
      here.close();
      const later = store();
      assert.equal(firstOf(later), 'a');
      assert.equal(firstOf(later, 'r', Buffer.from('[]')), undefined, 'another body of that length');
      assert.equal(firstOf(later, 's'), undefined);
    });

    it('and not of what was refused', () => {
      const here = store();
      add(here, again('a', 'refused'));
      assert.equal(firstOf(here), undefined);
    });

    it('which the local app took once, though the first has gone meanwhile', () => {
      const here = store(2);
      add(here, again('a'), { ...again('b'), repeatOf: 'a' });
      here.note({
        id: 'b',
        attempt: { kind: 'forward', to: 'http://127.0.0.1/', status: 204, durationMs: 1 },
      });
      add(here, kept('c'));
      assert.deepEqual(ids(here), ['c', 'b']);
      assert.equal(firstOf(here), 'a');
      assert.equal(here.acceptedStatus('a'), 204);
    });
  });

  it('are joined to their runs, whichever is known first', () => {
    const here = store();
    const of = (runId: string): Partial<KeptDelivery> => ({ body: Buffer.from(`{"run_id":"${runId}"}`) });
    here.noteRun({ runId: 'one', appName: 'echo', startedAt: 1 });
    add(here, kept('a', of('one')), kept('b', of('two')));
    assert.equal(here.awaitedSince(0), 0);
    assert.deepEqual([here.get('a').appName, here.get('b').appName], ['echo', undefined]);
    here.noteRun({ runId: 'two', appName: 'sleep', startedAt: 2 });
    here.noteRun({ runId: 'three', appName: 'fail', startedAt: 3 });
    assert.deepEqual([here.get('b').runId, here.get('b').appName], ['two', 'sleep']);
    const started = here.changedAfter(0, 9).map((row) => [row.delivery.id, row.delivery.sinceRunMs]);
    assert.deepEqual(Object.fromEntries(started), { a: 1_790_000_000_000 - 1, b: 1_790_000_000_000 - 2 });
    assert.equal(here.awaitedSince(0), 1, 'the third has had none');
    assert.equal(here.awaitedSince(3), 0);
    add(here, kept('c'));
    here.noteRun({ runId: 'null', appName: 'fail', startedAt: 4 });
    assert.equal(here.get('c').appName, undefined, 'it names no run');
    assert.equal(here.awaitedSince(3), 1);
  });

  it('whose address names their app tell once how long after the start of their run they came', () => {
    const here = store();
    add(here, kept('a', { appName: 'echo', body: Buffer.from('{"run_id":"one"}') }));
    const told = () => {
      const revision = here.revision ?? 0;
      here.noteRun({ runId: 'one', appName: 'echo', startedAt: 1 });
      return here.changedAfter(revision, 9).map((row) => row.delivery.sinceRunMs);
    };
    assert.deepEqual([told(), told()], [[1_790_000_000_000 - 1], []]);
  });

  it('tell what changed after a revision, each as it is now', () => {
    const here = store();
    add(here, kept('a'), refused('b'));
    const first = here.changedAfter(0, 10);
    assert.deepEqual(
      first.map((row) => [row.delivery.id, row.delivery.reason]),
      [
        ['a', undefined],
        ['b', undefined],
      ],
    );
    const revision = here.revision ?? 0;
    here.note({ id: 'a', appName: 'echo' });
    here.note({ id: 'b', reason: 'it is mismatch' });
    const second = here.changedAfter(revision, 10);
    assert.deepEqual(
      second.map((row) => [
        row.delivery.id,
        row.delivery.appName,
        row.delivery.reason,
        row.arrivedRevision > revision,
      ]),
      [
        ['a', 'echo', undefined, false],
        ['b', undefined, 'it is mismatch', false],
      ],
    );
    here.clear();
    assert.ok(Number(here.revision) >= revision, 'what is cleared does not turn the count back');
  });

  describe('are found', () => {
    let here: DeliveryStore;
    beforeEach(() => {
      here = store();
      add(
        here,
        kept('a', { body: Buffer.from('{"name":"GRÖẞE 50%_off"}') }),
        kept('b', { rawHeaders: ['X-Trace', 'needle-77'], path: '/hooks/orders' }),
        kept('c', { body: Buffer.from([0xff, ...Buffer.from('50%_off')]) }),
        refused('d'),
      );
      here.note({ id: 'a', appName: 'Echo' });
    });
    const found = (text: string): string[] => here.page({ text }, 10).deliveries.map(({ id }) => id);

    it('by a text of their body, in any case of its letters', () => {
      assert.deepEqual(found('50%_OFF'), ['a']);
      assert.deepEqual(found('50x_off'), []);
      assert.deepEqual(found('größe 50'), found('GRÖẞE 50'.toLowerCase()));
      assert.deepEqual(found('gröẞe'), ['a']);
      assert.deepEqual(found('x'.repeat(60_000)), []);
    });

    it('by a header, the path or the app', () => {
      assert.deepEqual([found('needle-77'), found('ORDERS'), found('echo')], [['b'], ['b'], ['a']]);
    });

    it('a page at a time, without their bodies', () => {
      const page = here.page({ verdict: 'verified' }, 2);
      assert.deepEqual([page.deliveries.map(({ id }) => id), page.hasMore], [['c', 'b'], true]);
      assert.ok(page.deliveries.every((one) => !('body' in one)));
    });
  });

  it('are listed without a look into their bodies, however large these are', () => {
    const here = store();
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    for (let at = 0; at < 100; at += 1) add(here, kept(`d${at}`, { body: megabyte }));
    const [newest] = here.page({}, 1).deliveries;
    assert.equal(newest?.bytes, megabyte.length);
    const ms = cpuMs(() => assert.equal(here.page({}, 100).deliveries.length, 100));
    assert.ok(ms < 100, `${ms} ms of processor time`);
  });

  it('are read before one of them: the newest of an app that came earlier', () => {
    const here = store();
    add(here, ...['a1', 'b1', 'a2', 'b2', 'a3'].map((id) => kept(id)));
    for (const id of ['a1', 'a2', 'a3']) here.note({ id, appName: 'a' });
    const before = (id: string) => here.page({ app: 'a' }, 1, id).deliveries.map((one) => one.id);
    assert.deepEqual(['a3', 'b2', 'a2', 'a1'].map(before), [['a2'], ['a2'], ['a1'], []]);
    assert.deepEqual(here.page({}, 1, 'gone'), { deliveries: [], hasMore: false });
  });

  it('leave no byte of theirs in any file once they are cleared', () => {
    const here = store(4);
    const secretText = 'the very body';
    for (let at = 0; at < 40; at += 1) {
      add(here, kept(`d${at}`, { body: Buffer.from(secretText.repeat(at * 50 + 1)) }));
    }
    here.clear();
    assert.deepEqual(ids(here), []);
    for (const name of fs.readdirSync(rig.folder)) {
      assert.ok(!fs.readFileSync(join(rig.folder, name)).includes(secretText), name);
    }
  });
});
