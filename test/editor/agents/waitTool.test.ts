import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { languageModelTool } from '../../../src/editor/agents/tool.ts';
import { type ToolHost, toolWork } from '../../../src/agents/tools.ts';
import type { WholeDelivery } from '../../../src/contract/delivery.ts';
import type { DeliveryFilter } from '../../../src/deliveries/deliveryFilter.ts';
import type { ListenerState } from '../../../src/deliveries/listenerState.ts';
import type { Run } from '../../../src/service/runs/run.ts';
import { deliveryOf } from '../../support/deliveries/deliveryOf.ts';
import { fitsFilter } from '../../support/deliveries/fitsFilter.ts';
import { TestClock } from '../../support/time/testClock.ts';

const runId = 'r-1';
const input = { projectId: 'p', appName: 'a', path: 'run', method: 'POST', headers: {}, webhook: true };
const listening: ListenerState = { kind: 'listening', port: 1, url: 'http://127.0.0.1:1/' };

describe('the tool that waits for a delivery', () => {
  const log = vscode.window.createOutputChannel('Tool Wait', { log: true });
  let clock: TestClock;
  let state: ListenerState;
  let kept: WholeDelivery[];
  let runs: Run[];
  let looked: PromiseWithResolvers<undefined>;
  let cancel: vscode.CancellationTokenSource;
  const received = new vscode.EventEmitter<WholeDelivery>();
  const changed = new vscode.EventEmitter<WholeDelivery>();
  const stateChanged = new vscode.EventEmitter<ListenerState>();
  const runChanged = new vscode.EventEmitter<Run>();

  beforeEach(() => {
    clock = new TestClock();
    state = listening;
    [kept, runs] = [[], []];
    looked = Promise.withResolvers();
    cancel = new vscode.CancellationTokenSource();
  });
  after(() => {
    for (const one of [log, received, changed, stateChanged, runChanged]) one.dispose();
  });

  const parts = () => ({
    listener: {
      get state() {
        return state;
      },
      onDidChangeState: stateChanged.event,
      onDidReceiveDelivery: received.event,
      onDidChangeDelivery: changed.event,
      page: (filter: DeliveryFilter, limit: number) => {
        const deliveries = kept.filter((one) => fitsFilter(one, filter, Date.now())).slice(0, limit);
        // The second look is the one at all verdicts.
        if (filter.verdict === undefined || deliveries.length > 0) looked.resolve(undefined);
        return Promise.resolve({ deliveries, hasMore: false });
      },
      whole: (id: string) => Promise.resolve(kept.find((one) => one.id === id)!),
    },
    runs: { all: () => runs, onDidChange: runChanged.event },
    clock,
  });

  async function wait(given: object = {}): Promise<Record<string, unknown>> {
    const guard = { held: () => Promise.resolve(['held-secret']), log };
    const { waitForDelivery: run } = toolWork({ waiting: parts } as unknown as ToolHost);
    const set = { waitForDelivery: { progress: () => 'Waiting', run } };
    const tool = languageModelTool('waitForDelivery', set, guard);
    const options = { input: { runId, ...given }, toolInvocationToken: undefined };
    const [part] = (await tool.invoke(options, cancel.token))?.content ?? [];
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    return JSON.parse(part.value) as Record<string, unknown>;
  }

  const run = (more: Partial<Run> = {}): Run => ({
    ...{ id: 'own', input, startedAt: 0, outcome: { kind: 'running' } },
    ...more,
  });

  it('gives what is there already: one that verified before a forgery that came later', async () => {
    kept = [
      deliveryOf('d-3', { runId: 'r-10' }),
      deliveryOf('d-2', { runId, verdict: 'mismatch' }),
      deliveryOf('d-1', { runId }),
    ];
    assert.equal((await wait()).id, 'd-1');
    kept.pop();
    assert.equal((await wait()).id, 'd-2');
  });

  it('gives one as soon as it arrives, masked, and lets others pass', async () => {
    const waiting = wait();
    await looked.promise;
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJlLW9mLWl0';
    received.fire(deliveryOf('d-1', { runId: 'r-10' }));
    received.fire(deliveryOf('d-2'));
    const last = deliveryOf('d-3', { runId, body: `${jwt} held-secret`, headers: { authorization: 'x' } });
    kept = [last];
    received.fire(last);
    const { id, body, headers } = await waiting;
    assert.deepEqual([id, body, headers], ['d-3', '•••••••• ••••••••', { authorization: '••••••••' }]);
  });

  it('gives one whose run is known only later, and one that is joined by its answer', async () => {
    const late = wait();
    await looked.promise;
    kept = [deliveryOf('d-1', { runId })];
    changed.fire(kept[0]!);
    assert.equal((await late).id, 'd-1');

    looked = Promise.withResolvers();
    kept = [deliveryOf('d-2')];
    const one = run();
    runs = [one];
    const joined = wait({ runId: 'own' });
    await looked.promise;
    one.delivery = { id: 'd-2', verdict: 'verified', receivedAt: '', answered: 200, repeats: 0 };
    runChanged.fire(one);
    assert.equal((await joined).id, 'd-2');
  });

  it('waits until the handler has answered, and tells so much as is known where it does not in time', async () => {
    const under = deliveryOf('d-1', { runId, isForwarding: true });
    kept = [under];
    const waiting = wait();
    await looked.promise;
    received.fire(under);
    const repeat = deliveryOf('d-2', { runId, repeatOf: 'd-1' });
    received.fire(repeat);
    const forward = { to: 'http://127.0.0.1:1/', status: 500, durationMs: 1 };
    kept = [repeat, deliveryOf('d-1', { runId, forward })];
    changed.fire(kept[1]!);
    assert.deepEqual((await waiting).forward, forward);

    looked = Promise.withResolvers();
    kept = [under];
    const late = wait();
    await looked.promise;
    received.fire(under);
    clock.advance(60_000);
    assert.equal((await late).id, 'd-1');
  });

  it('says at once why none can come', async () => {
    const answered = { kind: 'answered', status: 401, durationMs: 1, bytes: 0 } as const;
    runs = [run({ id: runId, outcome: answered })];
    assert.deepEqual(await wait(), {
      notDelivered: 'Not delivered: the run failed (401). Set a new token.',
    });
    runs = [run({ runId, input: { ...input, webhook: false } })];
    assert.match(String((await wait()).notDelivered), /without a webhook/);
    runs = [];
    state = { kind: 'stopped' };
    assert.match(String((await wait()).notDelivered), /listener has stopped/);
    state = { kind: 'failed', reason: 'No port held-secret.' };
    assert.equal((await wait()).notDelivered, 'Not delivered: the listener failed. No port ••••••••.');
  });

  it('says why none can come any more, as soon as that is so', async () => {
    const one = run();
    runs = [one];
    const refused = wait({ runId: 'own' });
    await looked.promise;
    one.outcome = { kind: 'answered', status: 404, durationMs: 1, bytes: 0 };
    runChanged.fire(one);
    assert.match(String((await refused).notDelivered), /failed \(404\)/);

    looked = Promise.withResolvers();
    const stopped = wait();
    await looked.promise;
    state = { kind: 'stopped' };
    stateChanged.fire(state);
    assert.match(String((await stopped).notDelivered), /listener has stopped/);
  });

  it('says of a delivery that broke off how much of it came, and ends with the last attempt', async () => {
    const one = run({ runId, outcome: { kind: 'answered', status: 200, durationMs: 1, bytes: 0 } });
    one.brokenOff = { bytes: 812, announced: 1624, times: 2 };
    runs = [one];
    const late = wait();
    await looked.promise;
    clock.advance(60_000);
    assert.match(
      String((await late).notDelivered),
      /60 seconds\. One of them broke off at 812 of 1624 bytes\.$/,
    );

    looked = Promise.withResolvers();
    const over = wait();
    await looked.promise;
    one.brokenOff.times = 3;
    runChanged.fire(one);
    assert.match(String((await over).notDelivered), /^Not delivered: 3 attempts broke off/);
  });

  it('waits as long as it is told, and a minute where it is told nothing', async () => {
    for (const [given, ms] of [
      [{ timeoutSeconds: 5 }, 5000],
      [{}, 60_000],
    ] as const) {
      looked = Promise.withResolvers();
      const waiting = wait(given);
      await looked.promise;
      assert.equal(clock.nextIn, ms);
      clock.advance(ms);
      assert.deepEqual(await waiting, {
        notDelivered: `No delivery of the run arrived within ${ms / 1000} seconds.`,
      });
    }
    await assert.rejects(wait({ timeoutSeconds: 301 }), /is not valid/);
  });

  it('ends when its call is cancelled, and leaves nothing behind', async () => {
    const waiting = wait();
    await looked.promise;
    cancel.cancel();
    await assert.rejects(waiting, vscode.CancellationError);
    assert.equal(clock.nextIn, undefined);
  });
});
