import assert from 'node:assert/strict';
import fs from 'node:fs';
import { openDatabase } from '../../../../src/listener/store/database.ts';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import type { KeptAnswer } from '../../../../src/deliveries/keptDelivery.ts';
import {
  add,
  downgradeToVersion2,
  ids,
  kept,
  refused,
  StoreRig,
} from '../../../support/listener/storeRig.ts';

const to = 'http://127.0.0.1:3000/hook';
const kilobytes = (count: number): KeptAnswer => ({
  rawHeaders: [],
  body: Buffer.alloc(count << 10),
  bytes: count << 10,
});

describe('what the local app answered', () => {
  let rig: StoreRig;
  let now: number;
  let here: DeliveryStore;
  beforeEach(() => {
    rig = new StoreRig(() => now);
    now = 1_790_000_000_000;
    here = rig.store();
    add(here, kept('a'));
  });
  afterEach(() => rig.end());

  /** @returns when it was noted */
  function answered(id: string, status: number, answer: KeptAnswer, in_ = here): number {
    now += 1;
    in_.note({ id, attempt: { kind: 'replay', to, durationMs: 3, status }, answer });
    in_.flush();
    return now;
  }

  it('is kept with each attempt, byte for byte, also for a program that comes later', () => {
    const first = {
      rawHeaders: ['Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'X-Name', 'é'],
      body: Buffer.from([0xff, 0]),
      bytes: 2,
    };
    const second = { rawHeaders: [], body: Buffer.from('and so on') };
    const [at, later] = [answered('a', 500, first), answered('a', 200, second)];
    for (const store of [here, rig.store()]) {
      assert.deepEqual(store.answer('a', at), first);
      assert.deepEqual(store.answer('a', later), second);
      assert.equal(store.answer('a', 0), undefined);
    }
  });

  it('has the line at which the handler failed, with the attempt that was told of, as windows and later programs see it', () => {
    const at = new Date(answered('a', 500, kilobytes(1))).toISOString();
    answered('a', 502, kilobytes(1));
    const place = { file: '/app/handler.ts', line: 42, message: 'TypeError: x is undefined' };
    const failedAt = { ...place, column: 11, oneOf: [place, { ...place, line: 7, column: 3 }] };
    const { revision } = here;
    here.note({ id: 'a', failure: { at, failedAt } });
    here.note({ id: 'gone', failure: { at, failedAt } });
    here.flush();
    const [changed] = here.changedAfter(revision!, 9);
    for (const told of [changed?.delivery, here.get('a'), rig.store().get('a')]) {
      assert.deepEqual(
        told?.attempts?.map((one) => one.failedAt),
        [failedAt, undefined],
      );
      assert.equal(told.forward?.status, 502);
    }
  });

  it('is no part of what windows are told, nor of a list', () => {
    answered('a', 500, { rawHeaders: ['X-Big', 'yes'], body: Buffer.from('the body'), bytes: 8 });
    const told = JSON.stringify([here.changedAfter(0, 9), here.get('a'), here.page({}, 9)]);
    assert.ok(!told.includes('X-Big') && !told.includes('the body'), told);
  });

  it('is kept of the last 20 attempts, also where the first stays for another reason', () => {
    now += 1;
    here.note({
      id: 'a',
      attempt: { kind: 'forward', to, durationMs: 3, status: 200 },
      answer: kilobytes(1),
    });
    const forward = now;
    const times = Array.from({ length: 20 }, () => answered('a', 500, kilobytes(1)));
    assert.equal(here.acceptedStatus('a'), 200);
    assert.equal(here.answer('a', forward), undefined);
    assert.ok(times.every((at) => here.answer('a', at) !== undefined));
  });

  it('goes with its delivery', () => {
    const at = answered('a', 500, kilobytes(1));
    here.clear();
    assert.equal(here.answer('a', at), undefined);
  });

  it('is kept after attempts that an older version has kept without', () => {
    const before = answered('a', 500, kilobytes(1));
    here.close();
    const database = openDatabase(rig.file);
    database.exec(downgradeToVersion2);
    database.close();
    const later = rig.store();
    assert.deepEqual(
      later.get('a').attempts?.map(({ status }) => status),
      [500],
    );
    assert.equal(later.answer('a', before), undefined);
    const at = answered('a', 200, kilobytes(2), later);
    assert.equal(later.answer('a', at)?.bytes, 2048);
    assert.deepEqual(rig.setAside, []);
  });

  it('does not wait in memory for a disk that takes nothing, as the attempt itself does', () => {
    const aside = `${rig.folder}-aside`;
    fs.renameSync(rig.folder, aside);
    fs.writeFileSync(rig.folder, 'a file');
    const at = answered('a', 500, kilobytes(1));
    assert.equal(typeof rig.problems.at(-1), 'string');
    fs.rmSync(rig.folder);
    fs.renameSync(aside, rig.folder);
    assert.deepEqual(
      here.get('a').attempts?.map(({ status }) => status),
      [500],
    );
    assert.equal(here.answer('a', at), undefined);
    assert.equal(here.answer('a', answered('a', 200, kilobytes(1)))?.bytes, 1024);
  });

  it('counts as room that the delivery takes: what was refused has no more than 32 MB with it', () => {
    const large = () => refused(`r${now}`, Buffer.alloc(10 << 20));
    const added = [large()];
    for (let at = 0; at < 2; at += 1) {
      now += 1;
      added.push(large());
    }
    add(here, ...added);
    const [oldest, , newest] = added.map(({ id }) => id);
    assert.equal(ids(here).length, 4);
    // 30 MB are there: 1 MB more fits, 3 MB do not, whichever program counts.
    const there = rig.store();
    for (let at = 0; at < 16; at += 1) answered(newest!, 500, kilobytes(64));
    assert.ok(ids(here).includes(oldest!));
    for (let at = 0; at < 4; at += 1) answered(newest!, 500, kilobytes(512), there);
    assert.ok(!ids(here).includes(oldest!));
    assert.ok(ids(here).includes(newest!));
  });

  it('makes room again where it goes: a hundred attempts take no more than twenty', () => {
    const middle = refused('m', Buffer.alloc(30 << 20));
    add(here, middle, refused('n'));
    for (let at = 0; at < 100; at += 1) answered('n', 500, kilobytes(64));
    assert.ok(ids(here).includes('m'));
  });
});
