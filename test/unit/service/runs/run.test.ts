import assert from 'node:assert/strict';
import {
  isExpected,
  isGivenUp,
  needsToken,
  refusalText,
  refusedStatus,
  type Run,
  type RunOutcome,
  gaveSecret,
} from '../../../../src/service/runs/run.ts';
import { input } from '../../../support/deliveries/runInput.ts';

const answered = (status: number): RunOutcome => ({ kind: 'answered', status, durationMs: 1, bytes: 2 });

describe('a run that was refused', () => {
  for (const status of [301, 400, 401, 403, 404, 413, 422, 429]) {
    it(`is one that was answered ${status} without the id of a run: nothing of it is delivered`, () => {
      assert.equal(refusedStatus({ outcome: answered(status) }), status);
    });
  }

  it('is none whose delivery may come: of 2xx, of an app that fails, and of any that names its run', () => {
    for (const status of [200, 202, 204, 500, 502, 504]) {
      assert.equal(refusedStatus({ outcome: answered(status) }), undefined);
    }
    assert.equal(refusedStatus({ outcome: answered(422), runId: 'run-1' }), undefined);
  });

  it('is none that was delivered all the same, has no answer yet, or got none', () => {
    const delivery = { id: 'd', verdict: 'verified' as const, receivedAt: '', answered: 200, repeats: 0 };
    assert.equal(refusedStatus({ outcome: answered(404), delivery }), undefined);
    assert.equal(refusedStatus({ outcome: { kind: 'running' } }), undefined);
    assert.equal(refusedStatus({ outcome: { kind: 'failed', reason: 'no', durationMs: 1 } }), undefined);
  });

  it('is given up, as is one of which all attempts to deliver it broke off', () => {
    assert.equal(isGivenUp({ outcome: answered(404) }), true);
    const brokenOff = { bytes: 812, times: 2 };
    assert.equal(isGivenUp({ outcome: answered(200), brokenOff }), false);
    assert.equal(refusalText({ outcome: answered(200), brokenOff }), undefined);
    brokenOff.times = 3;
    assert.equal(isGivenUp({ outcome: answered(200), brokenOff }), true);
    assert.match(refusalText({ outcome: answered(200), brokenOff })!, /^Not delivered: 3 attempts broke off/);
    assert.match(
      refusalText({ outcome: answered(200), brokenOff: { ...brokenOff, wasLate: true } })!,
      /makes no more\. The last one: the rest did not arrive in time\.$/,
    );
    const delivery = { id: 'd', verdict: 'verified' as const, receivedAt: '', answered: 200, repeats: 0 };
    assert.equal(isGivenUp({ outcome: answered(200), brokenOff, delivery }), false);
  });

  it('is given up where the listener refused its delivery, and says what takes the next', () => {
    const run = { outcome: answered(200), largerThan: 1000 };
    assert.equal(isGivenUp(run), true);
    assert.equal(isExpected({ input, ...run }), false);
    assert.match(
      refusalText(run)!,
      /refused it \(413\).+larger than 1000 bytes\. Set "runhook\.listener\.maxBodyBytes"/,
    );
    const delivery = { id: 'd', verdict: 'verified' as const, receivedAt: '', answered: 200, repeats: 0 };
    assert.equal(refusalText({ ...run, delivery }), undefined);
  });

  it('and one that failed have no delivery that is worth a wait', () => {
    const waits = (status: number, more: Partial<Run> = {}) =>
      isExpected({ input, outcome: answered(status), ...more });
    for (let status = 200; status < 300; status += 1) assert.equal(waits(status), true);
    for (let status = 400; status < 600; status += 1) {
      assert.equal(waits(status), false);
      assert.equal(waits(status, { runId: 'run' }), status < 500);
    }
    const delivery = { id: 'd', verdict: 'verified' as const, receivedAt: '', answered: 200, repeats: 0 };
    assert.equal(waits(200, { delivery }), false);
    assert.equal(waits(200, { input: { ...input, webhook: false } }), false);
    assert.equal(waits(200, { outcome: { kind: 'running' } }), false);
  });

  it('says so, and what to do where the token is rejected', () => {
    const said = (status: number) => refusalText({ outcome: answered(status) });
    assert.equal(said(401), 'Not delivered: the run failed (401). Set a new token.');
    assert.equal(
      said(403),
      'Not delivered: the run failed (403). Check whether the token is allowed to run the app.',
    );
    assert.equal(
      said(404),
      'Not delivered: the run failed (404). Check the id of the project, the name of the app, and the path.',
    );
    assert.equal(said(200), undefined);
    assert.deepEqual(
      [401, 403, 404, 200].map((status) => needsToken({ outcome: answered(status) })),
      [true, false, false, false],
    );
  });
});

function run(more: Partial<Run> = {}): Run {
  return { id: 'r', input, startedAt: 0, outcome: { kind: 'running' }, ...more };
}

describe('whether Runhook gave a run its secret', () => {
  it('is known by the id of the run, or by its delivery', () => {
    assert.equal(gaveSecret([run(), run({ runId: 'run-1' })], { id: 'd', runId: 'run-1' }), true);
    const delivery = { id: 'd', verdict: 'mismatch' as const, receivedAt: '', answered: 200, repeats: 0 };
    assert.equal(gaveSecret([run({ delivery })], { id: 'd' }), true);
  });

  it('is not so where no run of this window fits, not even one whose id is not known', () => {
    assert.equal(gaveSecret([run(), run({ runId: 'run-1' })], { id: 'd', runId: 'run-2' }), false);
    assert.equal(gaveSecret([run()], { id: 'd' }), false);
  });

  it('is not so where it went unsigned, or without a webhook', () => {
    const of = (more: Partial<Run['input']>) =>
      gaveSecret([run({ runId: 'run-1', input: { ...input, ...more } })], { id: 'd', runId: 'run-1' });
    assert.equal(of({ signing: 'unsigned' }), false);
    assert.equal(of({ webhook: false }), false);
    assert.equal(of({ signing: 'once' }), true);
    assert.equal(of({ webhook: 'https://example.com/' }), true);
  });
});
