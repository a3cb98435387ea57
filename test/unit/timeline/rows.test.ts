import assert from 'node:assert/strict';
import { layOut, type Picture } from '../../../src/model/timeline/layout.ts';
import { bounded, type Mark } from '../../../src/model/timeline/timeline.ts';
import { markByKey } from '../../../src/timeline/rows.ts';

describe('the arrow keys in a timeline', () => {
  const picture = pictureOf([
    [markOf('call', 'a', 0, 100), markOf('webhook', 'b', 900, 900), markOf('webhook', 'c', 2000, 2000)],
    [markOf('call', 'd', 100, 200), markOf('app', 'e', 1900, 2100)],
  ]);
  const leads = (from: string, key: string) => markByKey(picture, from, key)?.mark.id;

  it('walk along a line in the order of time, and to its ends', () => {
    assert.equal(leads('b', 'ArrowRight'), 'c');
    assert.equal(leads('c', 'ArrowLeft'), 'b');
    assert.equal(leads('c', 'ArrowRight'), undefined);
    assert.equal(leads('b', 'ArrowLeft'), undefined);
    assert.deepEqual([leads('c', 'Home'), leads('b', 'End')], ['b', 'c']);
  });

  it('walk to what is nearest in the line above or below, from run to run too', () => {
    assert.equal(leads('a', 'ArrowDown'), 'b');
    assert.equal(leads('c', 'ArrowDown'), 'd');
    assert.equal(leads('d', 'ArrowDown'), 'e');
    assert.equal(leads('e', 'ArrowUp'), 'd');
    assert.equal(leads('d', 'ArrowUp'), 'b');
    assert.equal(leads('a', 'ArrowUp'), undefined);
  });

  it('lead nowhere by other keys, or from what is no longer there', () => {
    assert.equal(leads('a', 'x'), undefined);
    assert.equal(leads('gone', 'ArrowRight'), undefined);
  });
});

function markOf(track: Mark['track'], id: string, from: number, to: number): Mark {
  return { id, track, from, to, outcome: 'good', label: '', text: '' };
}

function pictureOf(lanes: Mark[][]): Picture {
  const all = lanes.map((marks, at) => ({ id: String(at), title: '', marks }));
  const size = { width: (text: string) => text.length * 7, line: 16 };
  const names = { call: 'call', webhook: 'webhook', app: 'app' };
  return layOut({ title: '', ...bounded(all), now: 0 }, { width: 800, size, names, now: 3000 });
}
