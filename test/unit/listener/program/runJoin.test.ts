import assert from 'node:assert/strict';
import { RunJoin } from '../../../../src/listener/program/runJoin.ts';
import type { DeliveryStore } from '../../../../src/listener/store/deliveryStore.ts';
import type { NotedRun } from '../../../../src/deliveries/listenerProtocol.ts';
import { answerFingerprint } from '../../../../src/deliveries/answerFingerprint.ts';
import type { KeptDelivery } from '../../../../src/deliveries/keptDelivery.ts';
import { add, kept, StoreRig } from '../../../support/listener/storeRig.ts';

const startedAt = Date.UTC(2026, 0, 1);
const answer = (text: string): string => JSON.stringify({ text });
const holding = (text: string): object => ({ response: { text }, timestamp: 1 });

describe('joining runs to deliveries by their answers', () => {
  let rig: StoreRig;
  let store: DeliveryStore;
  let join: RunJoin;
  let window: object;
  let clock: number;
  let deliveries: string[];
  beforeEach(() => {
    rig = new StoreRig();
    store = rig.store();
    clock = startedAt + 10;
    join = new RunJoin(store, () => clock);
    window = {};
    deliveries = [];
  });
  afterEach(() => {
    join.close();
    rig.end();
  });

  const note = (run: Pick<NotedRun, 'id'> & Partial<NotedRun>) =>
    join.noteRun({ appName: 'a', startedAt, ...run }, window);
  function begin(id: string, runId?: string): string {
    note({ id, ...(runId !== undefined && { runId }), answer: { kind: 'awaited' } });
    return id;
  }
  const answered = (id: string, text: string | undefined) =>
    note({
      id,
      answer: { kind: 'given', fingerprint: text === undefined ? undefined : answerFingerprint(text) },
    });

  function deliver(
    id: string,
    body: object,
    changes: Partial<KeptDelivery> & { requestId?: string } = {},
  ): void {
    const { requestId = `request of ${id}`, ...rest } = changes;
    const content = { rawHeaders: ['X-Request-Id', requestId], body: Buffer.from(JSON.stringify(body)) };
    const delivery = kept(id, { receivedAt: startedAt + 1000, ...content, ...rest });
    add(store, delivery);
    join.arrived(delivery);
    deliveries.push(id);
  }

  /** Each joined pair, in the order of the deliveries. */
  async function joined(): Promise<[string, string][]> {
    await join.settled();
    return deliveries.flatMap((id) => {
      const run = join.runOf({ id, ...store.find(id) });
      return run === undefined ? [] : [[run, id] as [string, string]];
    });
  }

  it('joins a delivery that holds the answer, after it and before it, and says which app it is of', async () => {
    answered(begin('first'), answer('good morning'));
    deliver('d-1', holding('good morning'));
    assert.deepEqual(await joined(), [['first', 'd-1']]);
    const second = begin('second');
    deliver('d-2', holding('good evening'));
    assert.deepEqual(await joined(), [['first', 'd-1']]);
    answered(second, answer('good evening'));
    assert.deepEqual((await joined())[1], ['second', 'd-2']);
    assert.deepEqual(
      ['d-1', 'd-2'].map((id) => store.get(id).appName),
      ['a', 'a'],
    );
  });

  it('tells the windows of a delivery that was joined, as of one that has changed', async () => {
    deliver('d-1', holding('good morning'));
    const revision = store.revision ?? 0;
    answered(begin('first'), answer('good morning'));
    await joined();
    const [changed] = store.changedAfter(revision, 10);
    assert.equal(changed?.delivery.id, 'd-1');
    assert.ok(changed.arrivedRevision <= revision);
  });

  it('joins each of two runs to its own', async () => {
    const [a, b] = [begin('a'), begin('b')];
    deliver('of b', holding('I am the second'));
    answered(a, answer('I am the first'));
    deliver('of a', holding('I am the first'));
    assert.deepEqual(await joined(), []);
    answered(b, answer('I am the second'));
    assert.deepEqual(await joined(), [
      ['b', 'of b'],
      ['a', 'of a'],
    ]);
  });

  it('joins a delivery whose request id is the run id that the answer named, before and after it', async () => {
    const named = { run_id: 'r-1', text: 'the very same' };
    const late = begin('late', 'r-1');
    deliver('d-1', { smile: 'wave' }, { requestId: 'r-1' });
    deliver('d-2', { smile: 'wave' }, { repeatOf: 'd-1', requestId: 'r-1' });
    const early = begin('early');
    deliver('d-3', { text: 'the very same' }, { requestId: 'r-2' });
    deliver('of nobody', { smile: 'wave' }, { requestId: 'r-3' });
    const forged = { requestId: 'r-2', verdict: 'mismatch', standing: 'refused' } as const;
    deliver('forged', { smile: 'wave' }, forged);
    note({ id: early, runId: 'r-2' });
    answered(early, JSON.stringify({ ...named, run_id: 'r-2' }));
    answered(late, JSON.stringify(named));
    assert.deepEqual(await joined(), [
      ['late', 'd-1'],
      ['late', 'd-2'],
      ['early', 'd-3'],
    ]);
    // It is of that run alone, although another one was answered the same.
    answered(begin('another'), answer('the very same'));
    answered(begin('short', 'r-4'), '{"run_id":"r-4"}');
    deliver('d-4', holding('the very same'), { requestId: 'r-4' });
    assert.deepEqual((await joined())[3], ['short', 'd-4']);
    assert.deepEqual(
      ['d-1', 'd-3', 'd-4', 'of nobody'].map((id) => store.get(id).runId),
      ['r-1', 'r-2', 'r-4', undefined],
    );
  });

  it('joins none of two that were answered the same', async () => {
    for (const id of ['a', 'b']) answered(begin(id), answer('the very same'));
    for (const id of ['d-1', 'd-2']) deliver(id, holding('the very same'));
    assert.deepEqual(await joined(), []);
  });

  it('waits while another run goes on that could be the one, whichever window made it', async () => {
    answered(begin('answered'), answer('the very same'));
    const other = { appName: 'a', startedAt, id: 'running' };
    join.noteRun({ ...other, answer: { kind: 'awaited' } }, {});
    deliver('d-1', holding('the very same'));
    assert.deepEqual(await joined(), []);
    join.noteRun({ ...other, answer: { kind: 'given' } }, {});
    assert.deepEqual(await joined(), [['answered', 'd-1']]);
  });

  it('joins none while a run that was cancelled may be delivered still', async () => {
    answered(begin('answered'), answer('the very same'));
    note({ id: begin('cancelled'), answer: { kind: 'missing' } });
    deliver('d-1', holding('the very same'));
    assert.deepEqual(await joined(), []);
    deliver('d-2', holding('the very same'), { receivedAt: startedAt + 60 * 60_000 });
    assert.deepEqual(await joined(), [['answered', 'd-2']]);
  });

  it('leaves to a run that was cancelled what arrived before the next one began', async () => {
    for (const id of ['first cancelled', 'then cancelled'])
      note({ id: begin(id), answer: { kind: 'missing' } });
    const later = { id: 'answered', startedAt: startedAt + 2000 };
    note({ ...later, answer: { kind: 'given', fingerprint: answerFingerprint(answer('the very same')) } });
    deliver('of the first', holding('the very same'));
    deliver('d-1', holding('the very same'), { receivedAt: startedAt + 3000 });
    assert.deepEqual(await joined(), [], 'it may be that of the second');
    deliver('of the second', holding('the very same'));
    assert.deepEqual(await joined(), [['answered', 'd-1']]);
  });

  it('does not wait for the runs of another app', async () => {
    note({ id: 'cancelled', appName: 'b', answer: { kind: 'missing' } });
    note({ id: 'running', appName: 'b', answer: { kind: 'awaited' } });
    answered(begin('answered'), answer('the very same'));
    deliver('d-1', holding('the very same'));
    assert.deepEqual(await joined(), [['answered', 'd-1']]);
  });

  it('takes the runs of a window that has left for ended without a response', async () => {
    begin('running');
    join.leave(window);
    window = {};
    answered(begin('answered'), answer('the very same'));
    deliver('d-1', holding('the very same'));
    assert.deepEqual(await joined(), []);
    deliver('d-2', holding('the very same'), { receivedAt: startedAt + 60 * 60_000 });
    assert.deepEqual(await joined(), [['answered', 'd-2']]);
  });

  it('joins what came again, as the same', async () => {
    note({
      id: 'a',
      runId: 'r-1',
      answer: { kind: 'given', fingerprint: answerFingerprint(answer('good morning')) },
    });
    deliver('d-1', holding('good morning'));
    await joined();
    deliver('d-2', holding('good morning'), { repeatOf: 'd-1' });
    assert.deepEqual(await joined(), [
      ['a', 'd-1'],
      ['a', 'd-2'],
    ]);
    assert.equal(store.get('d-2').runId, 'r-1');
  });

  const foreign: [string, { runId?: string }, object, Partial<KeptDelivery>][] = [
    ['not verified', {}, {}, { verdict: 'mismatch', standing: 'refused' }],
    ['older than the run', {}, {}, { receivedAt: startedAt - 1 }],
    ['of another run by its id', { runId: 'run-1' }, { run_id: 'run-2' }, {}],
    ['a repeat of one that is of no run', {}, {}, { repeatOf: 'd-0' }],
  ];
  for (const [what, ofRun, inBody, ofDelivery] of foreign) {
    it(`joins none that is ${what}`, async () => {
      answered(begin('a', ofRun.runId), answer('good morning'));
      deliver('d-1', { ...holding('good morning'), ...inBody }, ofDelivery);
      assert.deepEqual(await joined(), []);
    });
  }

  it('joins a run whose id the delivery lacks, and a delivery whose id the answer lacks', async () => {
    answered(begin('a', 'run-1'), answer('good morning'));
    deliver('d-1', holding('good morning'));
    answered(begin('b'), answer('good evening'));
    deliver('d-2', { ...holding('good evening'), run_id: 'run-2' });
    assert.deepEqual(await joined(), [
      ['a', 'd-1'],
      ['b', 'd-2'],
    ]);
    assert.deepEqual(
      ['d-1', 'd-2'].map((id) => [store.get(id).runId, store.get(id).appName]),
      [
        ['run-1', 'a'],
        ['run-2', 'a'],
      ],
    );
  });

  it('leaves a run that a delivery names out of the others', async () => {
    begin('named', 'run-1');
    deliver('d-1', { run_id: 'run-1' });
    answered(begin('a'), answer('good morning'));
    deliver('d-2', holding('good morning'));
    assert.deepEqual(await joined(), [['a', 'd-2']]);
  });

  it('gives what has come of a run before its id was known, and its repeats, the oldest first', () => {
    deliver('d-1', { run_id: 'run-1' });
    deliver('d-2', { run_id: 'run-2' });
    deliver('d-3', { run_id: 'run-1' }, { repeatOf: 'd-1' });
    begin('a');
    const arrived = note({ id: 'a', runId: 'run-1' });
    assert.deepEqual(
      arrived.map(({ id, appName }) => [id, appName]),
      [
        ['d-1', 'a'],
        ['d-3', 'a'],
      ],
    );
    assert.deepEqual(note({ id: 'a', runId: 'run-1', answer: { kind: 'given' } }), [], 'once is enough');
  });

  it('joins nothing by an answer that says too little', async () => {
    answered(begin('a'), '{}');
    deliver('d-1', { response: {} });
    assert.deepEqual(await joined(), []);
  });

  it('keeps a bounded number of what waits', async () => {
    for (let index = 0; index < 150; index += 1) {
      answered(begin(`run ${index}`), answer(`this is answer ${index}`));
      deliver(`other ${index}`, holding(`this is of somebody else ${index}`));
    }
    deliver('old', holding('this is answer 0'));
    deliver('new', holding('this is answer 149'));
    assert.deepEqual(await joined(), [['run 149', 'new']]);
  });
});
