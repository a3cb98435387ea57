import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { repeatHash } from '../../../../src/listener/store/repeatTable.ts';
import { add, ids, kept, StoreRig } from '../../../support/listener/storeRig.ts';

/** Written by the listener program of version 0.1.0, for five requests to an app that answered 500. */
const oldFile = new URL('../../../fixtures/oldProfile/deliveries.sqlite', import.meta.url);

describe('a file of deliveries that version 0.1.0 has written', () => {
  let rig: StoreRig;
  beforeEach(() => {
    rig = new StoreRig();
    copyFileSync(oldFile, rig.file);
  });
  afterEach(() => rig.end());

  it('gives every delivery, its body, its attempt and what the app answered', () => {
    const store = rig.store();
    assert.deepEqual([rig.setAside, rig.problems], [[], []]);
    const found = store.page({}, 100).deliveries;
    const text = (id: string) => store.kept(id).body.toString();
    assert.deepEqual(
      found.map((one) => [one.requestId, one.verdict, one.answered, text(one.id), one.forward?.status]),
      [
        ['r-4', 'verified', 200, Buffer.from([0, 255, 1, 2]).toString(), 500],
        ['r-3', 'mismatch', 401, '{"run_id":"run-3"}', undefined],
        ['r-1', 'verified', 200, '{"run_id":"run-1","result":{"smile":"wave"}}', 500],
        ['r-2', 'verified', 200, '{"run_id":"run-2","text":"Zürich 東京"}', 500],
        ['r-1', 'verified', 200, '{"run_id":"run-1","result":{"smile":"wave"}}', 500],
      ],
    );
    const [, , repeat, , first] = found;
    assert.ok(repeat && first);
    assert.equal(repeat.repeatOf, first.id);
    const hash = repeatHash('r-1', store.kept(first.id).body);
    assert.equal(store.firstOf({ path: '/', hash })?.id, first.id, 'one more would be a repeat of it');
    const refused = repeatHash('r-3', Buffer.from('{"run_id":"run-3"}'));
    assert.equal(store.firstOf({ path: '/', hash: refused }), undefined);
    const at = Date.parse(first.attempts?.[0]?.at ?? '');
    assert.equal(store.answer(first.id, at)?.body.toString(), 'broken handler');
  });

  it('is found in, added to, and opened again', () => {
    const store = rig.store();
    const byText = store.page({ text: '東京' }, 10).deliveries;
    assert.deepEqual(
      byText.map(({ requestId }) => requestId),
      ['r-2'],
    );
    assert.deepEqual(add(store, kept('new')), [true]);
    assert.equal(ids(store)[0], 'new');
    assert.deepEqual(ids(rig.store()), ids(store));
  });
});
