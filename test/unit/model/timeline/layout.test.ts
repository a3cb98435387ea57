import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Box, overlap } from '../../../../src/model/timeline/labels.ts';
import { layOut, type Paper, type Picture } from '../../../../src/model/timeline/layout.ts';
import { bounded, type Mark, type Timeline, tracks } from '../../../../src/model/timeline/timeline.ts';

/** As wide as in a font whose letters are all alike. */
const size = { width: (text: string) => text.length * 7, line: 16 };
const names = { call: 'call', webhook: 'webhook', app: 'app' };
const start = Date.parse('2026-11-20T12:00:00Z');

describe('the layout of a timeline', () => {
  it('has no label over another, nothing outside, and later further right', () => {
    fc.assert(
      fc.property(timelines, fc.integer({ min: 100, max: 3000 }), (timeline, width) => {
        const picture = layOut(timeline, paper(width));
        const labels = labelsOf(picture);
        for (const [at, one] of labels.entries()) {
          for (const other of labels.slice(at + 1)) assert.ok(!overlap(one, other), 'two labels overlap');
        }
        for (const box of [...labels, ...boxesOf(picture)]) assert.ok(isInside(box, picture));
        const marks = picture.lanes.flatMap((lane) => lane.marks).sort((a, b) => a.mark.from - b.mark.from);
        for (const track of tracks) {
          const starts = marks.filter(({ mark }) => mark.track === track).map(({ box }) => box.x);
          assert.deepEqual(
            starts,
            starts.toSorted((a, b) => a - b),
          );
        }
      }),
    );
  });

  it('has no label over the shape of another mark of its line', () => {
    fc.assert(
      fc.property(timelines, (timeline) => {
        const { lanes } = layOut(timeline, paper(600));
        for (const { marks } of lanes) {
          for (const { label, mark } of marks) {
            const others = marks.filter((other) => other.mark.track === mark.track && other.mark !== mark);
            if (label) assert.ok(!others.some(({ box }) => overlap(label, box)));
          }
        }
      }),
    );
  });

  it('draws waits to scale, and shows what would be too narrow', () => {
    const marks = [
      markOf('call', 0, 1000),
      markOf('webhook', 1000, 1001),
      markOf('webhook', 3000, 3000),
      markOf('app', 3000, 3001),
    ];
    const [lane] = layOut(timelineOf([marks]), paper(800)).lanes;
    const [call, first, second, app] = lane?.marks ?? [];
    const middle = (box: Box = { x: 0, y: 0, width: 0, height: 0 }) => box.x + box.height / 2;
    const callStart = call?.box.x ?? 0;
    const ratio = (middle(second?.box) - callStart) / (middle(first?.box) - callStart);
    assert.ok(Math.abs(ratio - 3) < 0.01, String(ratio));
    assert.ok((app?.box.width ?? 0) >= 4);
  });

  it('folds the hour before a replay, and says how long it was', () => {
    const marks = [markOf('call', 0, 1000), markOf('webhook', 500, 500), markOf('app', 3_600_000, 3_600_200)];
    const { folds, lanes } = layOut(timelineOf([marks]), paper(800));
    assert.equal(folds[0]?.label?.text, '59 min 59 s');
    assert.ok((lanes[0]?.marks[0]?.box.width ?? 0) > 400);
  });

  it('does not fold what the service waits', () => {
    const webhook = { ...markOf('webhook', 14_000, 14_000), waitedSince: start + 100 };
    const marks = [markOf('call', 0, 100), markOf('webhook', 100, 100), webhook];
    assert.deepEqual(layOut(timelineOf([marks]), paper(800)).folds, []);
  });

  it('has all labels of three attempts that came at once', () => {
    const marks = [0, 1, 2].map((at) => markOf('webhook', at, at));
    const [lane] = layOut(timelineOf([[markOf('call', 0, 10_000), ...marks]]), paper(400)).lanes;
    assert.ok(lane?.marks.every(({ label }) => label !== undefined));
  });

  it('grows with what is under way', () => {
    const marks: Mark[] = [{ ...markOf('call', 0, 0), outcome: 'underWay' }, markOf('webhook', 100, 100)];
    const at = (now: number) =>
      layOut(timelineOf([marks]), { ...paper(800), now: start + now }).lanes[0]?.marks ?? [];
    const [before] = at(1000);
    const [, webhook] = at(5000);
    assert.ok((before?.box.width ?? 0) > 600);
    assert.ok((webhook?.box.x ?? 0) < (at(1000)[1]?.box.x ?? 0));
  });
});

describe('a timeline of more than can be drawn', () => {
  it('has the newest lanes, and says what was left out', () => {
    const lanes = Array.from({ length: 60 }, (_, at) => ({
      id: String(at),
      title: String(at),
      marks: [markOf('call', at * 1000, at * 1000 + 10)],
    }));
    const { lanes: kept, leftOut } = bounded(lanes);
    assert.deepEqual(leftOut, { lanes: 10, marks: 0 });
    assert.deepEqual([kept[0]?.id, kept.at(-1)?.id], ['10', '59']);
  });

  it('has the call and the newest marks of a lane, and a thousand at most', () => {
    const many = Array.from({ length: 300 }, (_, at) => markOf('webhook', 10 + at, 10 + at));
    const lanes = Array.from({ length: 10 }, (_, at) => ({
      id: String(at),
      title: '',
      marks: [...many, markOf('call', at, 5)],
    }));
    const { lanes: kept, leftOut } = bounded(lanes);
    assert.equal(kept.flatMap(({ marks }) => marks).length, 1000);
    assert.deepEqual(leftOut, { lanes: 5, marks: 5 * 101 });
    assert.equal(kept[0]?.marks[0]?.track, 'call');
    assert.equal(kept[0].marks.at(-1)?.from, start + 309);
  });
});

function markOf(track: Mark['track'], from: number, to: number): Mark {
  const id = `${track} ${from}`;
  return { id, track, from: start + from, to: start + to, outcome: 'good', label: '✓ 200', text: id };
}

function timelineOf(all: Mark[][]): Timeline {
  const lanes = all.map((marks, at) => ({ id: String(at), title: `12:00:00 run-${at}`, marks }));
  return { title: 'hello', ...bounded(lanes), now: start };
}

function paper(width: number): Paper {
  return { width, size, names, now: start + 100_000 };
}

function labelsOf({ ticks, folds, lanes }: Picture): Box[] {
  const inLanes = lanes.flatMap(({ title, tracks: drawn, marks }) => [
    title,
    ...drawn.flatMap(({ name }) => name ?? []),
    ...marks.flatMap(({ label }) => label ?? []),
  ]);
  return [...ticks.map(({ label }) => label), ...folds.flatMap(({ label }) => label ?? []), ...inLanes];
}

function boxesOf({ folds, lanes }: Picture): Box[] {
  return [
    ...folds,
    ...lanes.map(({ box }) => box),
    ...lanes.flatMap(({ marks }) => marks.map(({ box }) => box)),
  ];
}

function isInside({ x, y, width, height }: Box, picture: Picture): boolean {
  const slack = 0.001;
  return x >= -slack && y >= 0 && x + width <= picture.width + slack && y + height <= picture.height + slack;
}

const marks = fc
  .record({
    track: fc.constantFrom(...tracks),
    from: fc.oneof(fc.nat(5000), fc.nat(10_000_000), fc.nat(1e11)),
    took: fc.oneof(fc.constant(0), fc.nat(3000), fc.nat(1e9)),
    outcome: fc.constantFrom<Mark['outcome']>('good', 'bad', 'refused', 'plain', 'underWay'),
    label: fc.string({ maxLength: 30 }),
  })
  .map(({ track, from, took, outcome, label }): Mark => ({
    id: `${track} ${from}`,
    track,
    from: start + from,
    to: start + from + took,
    outcome,
    label,
    text: '',
  }));

const timelines = fc
  .array(fc.array(marks, { minLength: 1, maxLength: 12 }), { minLength: 0, maxLength: 12 })
  .map((all) => timelineOf(all));
