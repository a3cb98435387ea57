import assert from 'node:assert/strict';
import { clockTime } from '../../../../src/model/deliveries/deliveryLine.ts';
import { runAnswerText } from '../../../../src/model/runs/runAnswerText.ts';

const receivedAt = '2026-11-22T12:04:11.203Z';
const view = {
  method: 'POST',
  url: 'http://127.0.0.1:4100/v4/p-1/hello/run',
  results: ['http://127.0.0.1:8787/'],
  runId: 'run-1',
  outcome: { kind: 'answered', status: 200, durationMs: 61, bytes: 170 },
} as const;

describe('the text of a run and its answer', () => {
  for (const [repeats, ending] of [
    [0, ''],
    [1, ', and once more'],
    [3, ', and 3 more times'],
  ] as const) {
    it(`has the time of its delivery as the output panel has it, where it was repeated ${repeats} times`, () => {
      const delivery = { id: 'a-1', receivedAt, verdict: 'verified', repeats } as const;
      const lines = runAnswerText({ ...view, delivery }).split('\n');
      const line = lines.find((one) => one.startsWith('Delivered'));
      assert.equal(line, `Delivered: verified, ${clockTime(new Date(receivedAt))}${ending}`);
    });
  }
});
