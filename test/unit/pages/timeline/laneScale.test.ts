import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TimelineMark } from '../../../../src/contract/timeline.ts';
import { laneScale, markText } from '../../../../src/pages/timeline/laneScale.ts';

function markOf(from: number, to: number, outcome: TimelineMark['outcome'] = 'good'): TimelineMark {
  return { id: `${from} ${to}`, track: 'call', from, to, outcome, label: '', text: '' };
}

function placesOf(marks: TimelineMark[], now = 0) {
  const { marks: placed, breaks } = laneScale({ id: 'a', title: '', marks }, now);
  return { places: placed.map(({ from, to }) => [from, to]), breaks };
}

describe('the axis of a lane of the timeline', () => {
  it('has each mark as long as it lasted, where it began', () => {
    assert.deepEqual(placesOf([markOf(0, 400), markOf(100, 100), markOf(300, 800)]).places, [
      [0, 50],
      [12.5, 12.5],
      [37.5, 100],
    ]);
  });

  it('gives a few milliseconds no more room than they took', () => {
    const { places } = placesOf([markOf(0, 8000), markOf(7990, 8010), markOf(9998, 10_000)]);
    const rounded = places.map((one) => one.map((percent) => Math.round(percent * 100) / 100));
    assert.deepEqual(rounded, [
      [0, 80],
      [79.9, 80.1],
      [99.98, 100],
    ]);
  });

  it('names your handler in what is said of a mark', () => {
    const text = markText({ ...markOf(0, 0), track: 'app', text: '500' });
    assert.match(text, /^[\d:.]+ · your handler · 500$/);
  });

  it('lets what is under way last until now', () => {
    assert.deepEqual(placesOf([markOf(0, 0, 'underWay'), markOf(50, 50)], 100).places, [
      [0, 100],
      [50, 50],
    ]);
  });

  it('breaks long pauses, and has all else to scale', () => {
    const { places, breaks } = placesOf([
      ...[markOf(0, 10), markOf(10, 10), markOf(73_010, 73_010), markOf(76_000, 76_010)],
      markOf(212_010, 212_010),
    ]);
    assert.deepEqual(
      breaks.map(({ ms, from, to }) => [ms, Math.round(to - from), from < to]),
      [
        [73_000, 10, true],
        [136_000, 10, true],
      ],
    );
    assert.equal(places[1]?.[0], breaks[0]?.from);
    assert.equal(places[2]?.[0], breaks[0]?.to);
    assert.equal(Math.round(places[4]?.[1] ?? 0), 100);
  });

  it('puts a moment alone at its start', () => {
    assert.deepEqual(placesOf([markOf(7, 7)]), { places: [[0, 0]], breaks: [] });
  });

  it('is to scale between its breaks, in the order of time, and no longer than it is', () => {
    const mark = fc.tuple(fc.nat(100_000), fc.nat(5000)).map(([from, ms]) => markOf(from, from + ms));
    fc.assert(
      fc.property(fc.array(mark, { minLength: 1, maxLength: 40 }), (marks) => {
        const { places, breaks } = placesOf(marks);
        const points = marks.flatMap((one, at) => [
          { ms: one.from, at: places[at]![0]! },
          { ms: one.to, at: places[at]![1]! },
        ]);
        points.sort((a, b) => a.ms - b.ms);
        const rates: number[] = [];
        for (const [at, point] of points.entries()) {
          assert.ok(point.at >= 0 && point.at <= 100 + 1e-9);
          const next = points[at + 1];
          if (next === undefined || next.ms === point.ms) continue;
          assert.ok(point.at < next.at);
          const isBroken = breaks.some(({ from, to }) => from === point.at && to === next.at);
          if (!isBroken) rates.push((next.at - point.at) / (next.ms - point.ms));
        }
        for (const rate of rates) assert.ok(Math.abs(rate - rates[0]!) < 1e-6);
      }),
    );
  });
});
