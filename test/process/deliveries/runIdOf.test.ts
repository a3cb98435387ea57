import assert from 'node:assert/strict';
import { findRunId } from '../../support/untrusted/findRunId.ts';
import { runIdOf } from '../../../src/deliveries/runIdOf.ts';
import { assertLinear } from '../../support/time/assertLinear.ts';
import { Random } from '../../support/random/random.ts';
import { seed } from '../../support/random/seed.ts';

describe('the run that a body names', () => {
  const filler = 'x'.repeat(100_000);
  const large: [string, string, string | undefined][] = [
    ['before a large answer', `{"run_id":"r-1","response":"${filler}"}`, 'r-1'],
    ['after it', `{"response":"${filler}", "run_id" : "r-1" }`, 'r-1'],
    ['as a number', `{"response":"${filler}","runId":17}`, '17'],
    ['in a wrapper, after one that the app wrote', `{"a":{"b":{"c":1}},"${filler}":{"run_id":"r-1"}}`, 'r-1'],
    ['rather at the top', `{"result":{"run_id":"theirs"},"${filler}":1,"run_id":"r-1"}`, 'r-1'],
    ['too deep', `{"a":{"b":{"c":{"run_id":"r-1"}}},"d":"${filler}"}`, undefined],
    ['in a list', `{"a":[{"run_id":"r-1"}],"d":"${filler}"}`, undefined],
    ['in a string', String.raw`{"a":"{\"run_id\":\"r-1\"}","d":"${filler}"}`, undefined],
    ['as a value', `{"a":"run_id","b":"r-1","d":"${filler}"}`, undefined],
    ['as an object', `{"run_id":{"x":"r-1"},"d":"${filler}"}`, undefined],
  ];
  for (const [where, text, id] of large) {
    it(`is found in a large one: ${where}`, () => {
      assert.equal(runIdOf(Buffer.from(text)), id);
      assert.equal(findRunId(JSON.parse(text)), id);
    });
  }

  it('is the same whether a body is parsed or scanned', () => {
    const random = new Random(seed);
    let named = 0;
    for (let count = 0; count < 5000; count += 1) {
      const value = someValue(random, 0);
      const text = JSON.stringify(value, null, random.of([0, 2]));
      const id = findRunId(value);
      if (id !== undefined) named += 1;
      assert.equal(runIdOf(Buffer.from(text)), id, `seed ${seed}: ${text}`);
    }
    assert.ok(named > 100);
  });

  it('keeps nobody waiting, whatever the body is', () => {
    const made: ((size: number) => string)[] = [
      (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
      (size) => `{${Array.from({ length: size / 12 }, (_, index) => `"k${index}":1`).join(',')}}`,
      (size) => `{"a":{${'"b":{},'.repeat(size / 7)}"c":1}}`,
      (size) => `{"run_id":${'"\\\\'.repeat(size / 3)}`,
      (size) => `{${'"run_id":{},'.repeat(size / 12)}"a":1}`,
    ];
    for (const text of made) {
      const bodies = new Map([1, 4].map((times) => [times * 480_000, Buffer.from(text(times * 480_000))]));
      assertLinear(480_000, (size) => void runIdOf(bodies.get(size) ?? Buffer.alloc(0)));
    }
  });
});

function someValue(random: Random, depth: number): unknown {
  const kind = depth > 5 ? 0 : random.whole(0, 5);
  const size = random.whole(0, 4);
  if (kind === 1) return Array.from({ length: size }, () => someValue(random, depth + 1));
  if (kind >= 2) {
    const names = ['run_id', 'runId', 'runID', 'a', 'b', 'run_ix', '"', '\\', 'é'];
    const entries = Array.from({ length: size }, () => [random.of(names), someValue(random, depth + 1)]);
    return Object.fromEntries(entries) as unknown;
  }
  return random.of(['r-1', 'r"2\\', '', 17, -1.5, null, true, '{"run_id":"no"}', '}', '[']);
}
