import assert from 'node:assert/strict';
import type { FailurePlace } from '../../../src/contract/delivery.ts';
import { failedAt, type SeenFailure, type Sending } from '../../../src/deliveries/failure/attribution.ts';
import { OutputTail } from '../../../src/deliveries/failure/outputTail.ts';

const place = (line: number): FailurePlace => ({ file: '/app/handler.ts', line, message: `Error: ${line}` });
const seen = (at: number, line: number, source = 'terminal'): SeenFailure => ({
  at,
  place: place(line),
  source,
});
const attempt = { from: 1000, to: 1100, status: 500 };
const unsure = (...lines: number[]) => ({ ...place(lines.at(-1)!), oneOf: lines.map(place) });

describe('the failure of an attempt', () => {
  const cases: [title: string, others: Sending[], told: SeenFailure[], expected: unknown][] = [
    ['is none where nothing was told', [], [], undefined],
    ['is none where it was told before, or long after', [], [seen(900, 1), seen(2200, 1)], undefined],
    ['is the last that was told', [], [seen(1010, 1), seen(1090, 2)], place(2)],
    ['may be told after the response', [], [seen(1700, 3)], place(3)],
    ['is not that of an attempt before it', [{ from: 500, to: 600, status: 500 }], [seen(550, 1)], undefined],
    [
      'is told by its own time where the next one begins later',
      [{ from: 1200, to: 1300, status: 500 }],
      [seen(1050, 1), seen(1250, 2)],
      place(1),
    ],
    [
      'is one of those told where two are under way at once',
      [{ from: 1050, to: 1150, status: 500 }],
      [seen(1060, 1), seen(1070, 2)],
      unsure(1, 2),
    ],
    [
      'is not sure where one of two failed and one line was told',
      [{ from: 1050, to: 1150, status: 500 }],
      [seen(1060, 1)],
      unsure(1),
    ],
    [
      'is not that of another which is taken, for sure',
      [{ from: 1050, to: 1150, status: 200 }],
      [seen(1060, 1)],
      unsure(1),
    ],
    [
      'is not that of one before it which was taken',
      [{ from: 900, to: 980, status: 200 }],
      [seen(1060, 1)],
      place(1),
    ],
    [
      'is not that of one that failed a while before it began',
      [{ from: 600, to: 700, status: 500 }],
      [seen(1060, 1)],
      place(1),
    ],
    [
      'is not sure where one before it may still tell of its own',
      [{ from: 900, to: 990, status: 500 }],
      [seen(1060, 1)],
      unsure(1),
    ],
    [
      'is sure where all that are under way fail at one line',
      [{ from: 1050, to: 1150, status: 500 }],
      [seen(1060, 1), seen(1070, 1)],
      place(1),
    ],
    [
      'is not sure where one of those is still at a breakpoint',
      [{ from: 900 }],
      [seen(1060, 1), seen(1070, 1)],
      unsure(1),
    ],
    [
      'is not sure where two programs tell of one',
      [],
      [seen(1060, 1, 'handler'), seen(1070, 2, 'tests')],
      unsure(1, 2),
    ],
  ];
  for (const [title, others, told, expected] of cases) {
    it(title, () => assert.deepEqual(failedAt(attempt, others, told), expected));
  }

  it('is told by the times of what was written, of which the end is kept', () => {
    const tail = new OutputTail();
    for (let at = 0; at < 100; at += 1) tail.add('x'.repeat(10_000), at);
    tail.add('late', 200);
    const { text, at } = tail.since(99);
    assert.equal(text.length, 10_004);
    assert.deepEqual([at(0), at(9999), at(10_000)], [99, 99, 200]);
    assert.equal(tail.since(0).text.length <= 128 * 1024, true);
  });
});
