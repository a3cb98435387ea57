import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TimelineMark } from '../../../../src/contract/timeline.ts';
import { laneGrid, markText } from '../../../../src/pages/timeline/laneGrid.ts';

function markOf(from: number, to: number, outcome: TimelineMark['outcome'] = 'good'): TimelineMark {
  return { id: `${from} ${to}`, track: 'call', from, to, outcome, label: '', text: '' };
}

function gridOf(marks: TimelineMark[], now = 0) {
  const { columns, marks: placed, breaks } = laneGrid({ id: 'a', title: '', marks }, now);
  return { columns, lines: placed.map(({ from, to }) => [from, to]), breaks };
}

describe('the grid of a lane of the timeline', () => {
  it('has a column for each time between two moments, as wide as it lasted', () => {
    const { columns, lines } = gridOf([markOf(0, 400), markOf(100, 100), markOf(300, 700)]);
    const widths = [100, 200, 100, 300].map((ms) => `minmax(min-content, ${ms}fr)`);
    assert.equal(columns, ['max-content', ...widths, 'auto'].join(' '));
    assert.deepEqual(lines, [
      [2, 5],
      [3, 4],
      [4, 6],
    ]);
  });

  it('names your handler in what is said of a mark', () => {
    const text = markText({ ...markOf(0, 0), track: 'app', text: '500' });
    assert.match(text, /^[\d:.]+ · your handler · 500$/);
  });

  it('lets what is under way last until now', () => {
    assert.deepEqual(gridOf([markOf(0, 0, 'underWay'), markOf(50, 50)], 80).lines, [
      [2, 4],
      [3, 4],
    ]);
  });

  it('breaks long pauses, and has all else to scale', () => {
    const { columns, lines, breaks } = gridOf([
      ...[markOf(0, 10), markOf(10, 10), markOf(73_010, 73_010), markOf(76_010, 76_020)],
      markOf(212_020, 212_020),
    ]);
    const pause = 'max-content max-content';
    const [first, short, last] = [10, 3000, 10].map((ms) => `minmax(min-content, ${ms}fr)`);
    assert.equal(columns, ['max-content', first, pause, short, last, pause, 'auto'].join(' '));
    assert.deepEqual(breaks, [
      { ms: 73_000, from: 4 },
      { ms: 136_000, from: 8 },
    ]);
    // No mark is in the column of a break, not even the label of what was at its start.
    assert.deepEqual(lines, [
      [2, 3],
      [3, 4],
      [5, 6],
      [6, 7],
      [9, 10],
    ]);
  });

  it('has no column of time for a moment alone', () => {
    assert.deepEqual(gridOf([markOf(7, 7)]), { columns: 'max-content auto', lines: [[2, 3]], breaks: [] });
  });

  it('puts each mark between lines of its grid, in the order of time', () => {
    const mark = fc.tuple(fc.nat(100_000), fc.nat(5000)).map(([from, ms]) => markOf(from, from + ms));
    fc.assert(
      fc.property(fc.array(mark, { minLength: 1, maxLength: 40 }), (marks) => {
        const { columns, lines, breaks } = gridOf(marks);
        const last = columns.split(/ (?=minmax|auto|max-content)/).length + 1;
        for (const [at, [from = 0, to = 0]] of lines.entries()) {
          assert.ok(from >= 2 && from < to && to <= last);
          assert.ok(breaks.every((one) => one.from < from || one.from >= to));
          for (const [other, [start = 0]] of lines.entries()) {
            if (marks[at]!.from < marks[other]!.from) assert.ok(from < start);
          }
        }
      }),
    );
  });
});
