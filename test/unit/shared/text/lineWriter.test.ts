import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineWriter } from '../../../../src/shared/text/lineWriter.ts';
import { seed } from '../../../support/random/seed.ts';

/** A stream whose reader reads only when the test says so. */
class FakeStream {
  #waiting: { text: string; written: (() => void) | undefined }[] = [];
  readonly read: string[] = [];

  get writableLength(): number {
    return this.#waiting.reduce((sum, { text }) => sum + text.length, 0);
  }

  write(text: string, written?: () => void): void {
    this.#waiting.push({ text, written });
  }

  readSome(count: number): void {
    for (const { text, written } of this.#waiting.splice(0, count)) {
      if (text !== '') this.read.push(text);
      written?.();
    }
  }
}

describe('lines for a reader who may stop reading', () => {
  it(`wait in a bounded memory, and each is shown or counted; seed ${seed}`, () => {
    const step = fc.oneof(
      fc.record({ line: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ read: fc.integer({ min: 1, max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const stream = new FakeStream();
        const writer = new LineWriter(stream, (lines) => `not shown: ${lines}`);
        writer.leaveOut(100);
        let given = 0;
        for (const one of steps) {
          if ('read' in one) {
            stream.readSome(one.read);
            continue;
          }
          writer.line(`${given} ${'x'.repeat(one.line)}`);
          given += 1;
          assert.ok(stream.writableLength < 420, 'more than the limit, a line and a note waits');
        }
        for (let times = 0; times < 3; times += 1) stream.readSome(1000);
        // What is read is in order, and each note stands where as many lines are missing.
        let next = 0;
        for (const text of stream.read) {
          const [, leftOut] = /^not shown: (\d+)\n$/.exec(text) ?? [];
          if (leftOut === undefined) assert.equal(Number.parseInt(text, 10), next);
          next += leftOut === undefined ? 1 : Number(leftOut);
        }
        assert.equal(next, given);
      }),
      { numRuns: 300 },
    );
  });
});
