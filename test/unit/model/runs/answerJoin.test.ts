import assert from 'node:assert/strict';
import { AnswerJoin } from '../../../../src/model/runs/answerJoin.ts';
import type { Delivery } from '../../../../src/model/deliveries/delivery.ts';
import type { Run } from '../../../../src/model/runs/run.ts';

const startedAt = Date.UTC(2026, 0, 1);
const input = { projectId: 'p', appName: 'a', path: 'run', method: 'POST', headers: {}, webhook: true };
const answer = (text: string): string => JSON.stringify({ text });

describe('joining runs to deliveries by their answers', () => {
  let joined: [string, string][];
  let join: AnswerJoin;
  beforeEach(() => {
    joined = [];
    join = new AnswerJoin((run, delivery) => {
      run.delivery ??= { id: delivery.id, verdict: delivery.verdict, receivedAt: '', repeats: 0 };
      joined.push([run.id, delivery.id]);
    });
  });

  function begin(id: string, changes: Partial<Run> = {}): Run {
    const run: Run = { id, input, startedAt, outcome: { kind: 'running' }, ...changes };
    join.begun(run);
    return run;
  }
  function deliver(id: string, body: unknown, changes: Partial<Delivery> = {}): void {
    const received = { receivedAt: new Date(startedAt + 1000).toISOString(), method: 'POST', path: '/' };
    const content = { headers: {}, body: JSON.stringify(body), bytes: 0, answered: 200 };
    join.noteDelivery({ id, verdict: 'verified', ...received, ...content, ...changes });
  }
  const holding = (text: string): object => ({ response: { text }, timestamp: 1 });

  it('joins a delivery that holds the answer, after it and before it', () => {
    join.answered(begin('first'), answer('good morning'));
    deliver('d-1', holding('good morning'));
    const second = begin('second');
    deliver('d-2', holding('good evening'));
    assert.deepEqual(joined, [['first', 'd-1']]);
    join.answered(second, answer('good evening'));
    assert.deepEqual(joined[1], ['second', 'd-2']);
  });

  it('joins each of two runs to its own', () => {
    const [a, b] = [begin('a'), begin('b')];
    deliver('of b', holding('I am the second'));
    join.answered(a, answer('I am the first'));
    deliver('of a', holding('I am the first'));
    assert.deepEqual(joined, []);
    join.answered(b, answer('I am the second'));
    assert.deepEqual(joined, [
      ['b', 'of b'],
      ['a', 'of a'],
    ]);
  });

  it('joins a delivery whose request id is the run id that the answer named, before and after it', () => {
    const named = { run_id: 'r-1', text: 'the very same' };
    const late = begin('late', { runId: 'r-1' });
    deliver('d-1', { smile: 'wave' }, { requestId: 'r-1' });
    deliver('d-2', { smile: 'wave' }, { repeatOf: 'd-1', requestId: 'r-1' });
    const early = begin('early');
    deliver('d-3', { text: 'the very same' }, { requestId: 'r-2' });
    deliver('of nobody', { smile: 'wave' }, { requestId: 'r-3' });
    deliver('forged', { smile: 'wave' }, { requestId: 'r-2', verdict: 'mismatch' });
    early.runId = 'r-2';
    join.answered(early, JSON.stringify({ ...named, run_id: 'r-2' }));
    join.answered(late, JSON.stringify(named));
    assert.deepEqual(joined, [
      ['late', 'd-1'],
      ['late', 'd-2'],
      ['early', 'd-3'],
    ]);
    // It is of that run alone, although another one was answered the same.
    join.answered(begin('another'), answer('the very same'));
    join.answered(begin('short', { runId: 'r-4' }), '{"run_id":"r-4"}');
    deliver('d-4', holding('the very same'), { requestId: 'r-4' });
    assert.deepEqual(joined[3], ['short', 'd-4']);
  });

  it('joins none of two that were answered the same', () => {
    for (const id of ['a', 'b']) join.answered(begin(id), answer('the very same'));
    for (const id of ['d-1', 'd-2']) deliver(id, holding('the very same'));
    assert.deepEqual(joined, []);
  });

  it('waits while another run goes on that could be the one', () => {
    join.answered(begin('answered'), answer('the very same'));
    const running = begin('running');
    deliver('d-1', holding('the very same'));
    assert.deepEqual(joined, []);
    join.answered(running, undefined);
    assert.deepEqual(joined, [['answered', 'd-1']]);
  });

  it('joins none while a run that was cancelled may be delivered still', () => {
    join.answered(begin('answered'), answer('the very same'));
    join.unanswered(begin('cancelled'), startedAt + 10);
    deliver('d-1', holding('the very same'));
    assert.deepEqual(joined, []);
    const muchLater = new Date(startedAt + 60 * 60_000).toISOString();
    deliver('d-2', holding('the very same'), { receivedAt: muchLater });
    assert.deepEqual(joined, [['answered', 'd-2']]);
  });

  it('joins what came again, as the same', () => {
    join.answered(begin('a'), answer('good morning'));
    deliver('d-1', holding('good morning'));
    deliver('d-2', holding('good morning'), { repeatOf: 'd-1' });
    assert.deepEqual(joined, [
      ['a', 'd-1'],
      ['a', 'd-2'],
    ]);
  });

  const foreign: [string, Partial<Run>, Partial<Delivery>][] = [
    ['not verified', {}, { verdict: 'mismatch' }],
    ['older than the run', {}, { receivedAt: new Date(startedAt - 1).toISOString() }],
    ['of another run by its id', { runId: 'run-1' }, { runId: 'run-2' }],
    ['a repeat of one that is of no run', {}, { repeatOf: 'd-0' }],
  ];
  for (const [what, ofRun, ofDelivery] of foreign) {
    it(`joins none that is ${what}`, () => {
      join.answered(begin('a', ofRun), answer('good morning'));
      deliver('d-1', holding('good morning'), ofDelivery);
      assert.deepEqual(joined, []);
    });
  }

  it('joins a run whose id the delivery lacks, and a delivery whose id the answer lacks', () => {
    join.answered(begin('a', { runId: 'run-1' }), answer('good morning'));
    deliver('d-1', holding('good morning'));
    join.answered(begin('b'), answer('good evening'));
    deliver('d-2', holding('good evening'), { runId: 'run-2' });
    assert.deepEqual(joined, [
      ['a', 'd-1'],
      ['b', 'd-2'],
    ]);
  });

  it('joins nothing by an answer that says too little', () => {
    join.answered(begin('a'), '{}');
    deliver('d-1', { response: {} });
    assert.deepEqual(joined, []);
  });

  it('keeps a bounded number of what waits', () => {
    for (let index = 0; index < 150; index += 1) {
      join.answered(begin(`run ${index}`), answer(`this is answer ${index}`));
      deliver(`other ${index}`, holding(`this is of somebody else ${index}`));
    }
    deliver('old', holding('this is answer 0'));
    deliver('new', holding('this is answer 149'));
    assert.deepEqual(joined, [['run 149', 'new']]);
  });
});
