import assert from 'node:assert/strict';
import type { Run, RunInput, Series } from '../../../../../src/model/runs/run.ts';
import { seriesOutcome } from '../../../../../src/model/runs/series/seriesOutcome.ts';
import { seriesText, type SeriesState } from '../../../../../src/model/runs/series/seriesText.ts';
import { answered, delivered, input, runOf, series } from '../../../../support/deliveries/runSeries.ts';

const ended: SeriesState = { kind: 'ended', isRefused: false };

/** Its lines, without those below the table. */
function linesOf(runs: Run[], state = ended, of: Partial<Series> = {}, sent: RunInput = input): string[] {
  const text = seriesText(sent, seriesOutcome({ ...series, ...of }, runs), state);
  assert.ok(text.endsWith('\n'));
  return text.split('\n').slice(0, -4);
}

describe('the table of a series', () => {
  const runs = [
    ...Array.from({ length: 8 }, (_, index) =>
      runOf(index, answered(200, 400 + index), delivered(1200, { forward: { status: 200 } })),
    ),
    runOf(8, answered(503, 4)),
    runOf(9, answered(200, 2000), delivered(5000, { verdict: 'mismatch', repeats: 1 })),
  ];

  it('lines up what became of the runs', () => {
    assert.deepEqual(linesOf(runs), [
      'echo: 10 runs, 4 at once · POST run',
      '',
      'All 10 runs have ended',
      '',
      'Outcome            Runs      p50     p95',
      'Answered             10   403 ms   2.0 s',
      '· 200                 9   404 ms   2.0 s',
      '· 503                 1     4 ms    4 ms',
      'Failed                0',
      'Delivered             9    1.2 s   5.0 s',
      '· verified            8',
      '· mismatch            1',
      'Taken by the app      8',
      'Repeats               1',
    ]);
  });

  it('says how far it is', () => {
    const said = (some: Run[], state?: SeriesState, of?: Partial<Series>) => linesOf(some, state, of)[2];
    assert.equal(said(runs.slice(4), { kind: 'running' }), '6 of 10 runs have ended');
    assert.match(said(runs, { kind: 'waiting', for: { deliveries: 2, app: 1 } })!, /deliveries of 2$/);
    assert.match(said(runs, { kind: 'waiting', for: { deliveries: 0, app: 1 } })!, /answer 1 deliveries$/);
    assert.equal(said(runs.slice(4)), 'Cancelled after 6 of 10 runs');
    assert.equal(said([], ended), 'Cancelled after 0 of 10 runs');
    assert.match(
      said([runOf(1, answered(401, 1))], { kind: 'ended', isRefused: true })!,
      /refuses the token$/,
    );
    const cut = [...runs.slice(4), runOf(1, { kind: 'interrupted' })];
    assert.equal(said(cut), 'Interrupted by a reload after 6 of 10 runs');
  });

  it('says why deliveries were not waited for', () => {
    const lines = linesOf(runs, { ...ended, notWaited: 'Their deliveries were not waited for.' });
    assert.deepEqual(lines.slice(2, 4), ['All 10 runs have ended', 'Their deliveries were not waited for.']);
  });

  it('says nothing of deliveries where there is no webhook', () => {
    const some = [runOf(1, answered(200, 1)), runOf(2, { kind: 'running' })];
    const lines = linesOf(some, { kind: 'running' }, { times: 2, atOnce: 1 }, { ...input, webhook: false });
    assert.equal(lines[0], 'echo: 2 runs, one after the other · POST run');
    assert.match(lines.at(-1)!, /^Running +1$/);
  });

  it('shows what others wrote as text on one line', () => {
    const reason = 'reset\n$(warning)\u202e [a](command:b) '.repeat(100);
    const lines = linesOf([runOf(1, { kind: 'failed', reason, durationMs: 1 })]);
    const [line] = lines.filter((one) => one.includes('reset'));
    assert.ok(line!.length < 160);
    assert.doesNotMatch(line!, /\$\(|\]\(|\u202e/);
  });
});
