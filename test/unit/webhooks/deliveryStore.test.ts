import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '../../../src/model/translate.ts';
import { DeliveryStore } from '../../../src/webhooks/deliveryStore.ts';

const keep = 2;

describe('the deliveries that are kept', () => {
  let folder: string;
  const open: DeliveryStore[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runhook-store-'));
  });
  afterEach(() => {
    for (const store of open.splice(0)) store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function store(): DeliveryStore {
    const made = new DeliveryStore({
      folder,
      keep,
      onProblem: (problem) => assert.ifError(problem),
      onChanged: () => undefined,
      reasonFor: () => undefined,
      t: inEnglish,
    });
    made.load();
    open.push(made);
    return made;
  }

  /** All are of one size: one that is written over another lies in its place. */
  function bodyOf(number: number): Buffer {
    return Buffer.alloc(256 << 10, number.toString().padStart(4, '0'));
  }

  async function add(to: DeliveryStore, number: number): Promise<void> {
    const id = `d-${number.toString().padStart(4, '0')}`;
    const rawHeaders = ['X-Request-Id', `r-${id}`];
    const delivery = { id, receivedAt: number, method: 'POST', path: '/', rawHeaders, body: bodyOf(number) };
    await new Promise<void>((resolve, reject) => {
      to.add({ ...delivery, verdict: 'verified', answered: 200 }, resolve, reject);
    });
    to.arrival(id);
  }

  it('go, and never become others, where the window that took them uses their file again', async () => {
    const here = store();
    let number = 0;
    // The files that are used again are the largest.
    while (number < 160) await add(here, (number += 1));
    const there = store();
    const [id = '', before = ''] = there.ids();
    const mine = [id, before].map((one) => there.get(one));
    assert.deepEqual(
      mine.map((one) => one.id),
      ['d-0160', 'd-0159'],
    );
    while (there.ids().length > 0 && number < 600) {
      await add(here, (number += 1));
      for (const one of mine) assert.deepEqual(there.find(one.id) ?? one, one);
    }
    assert.deepEqual(there.ids(), []);
    assert.throws(() => there.get(id), /There is no delivery d-0160/);
    assert.equal(there.firstOf('r-d-0160', bodyOf(160)), undefined);
  });
});
