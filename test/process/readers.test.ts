import assert from 'node:assert/strict';
import { UserError } from '../../src/model/text/userError.ts';
import { cpuMs } from '../support/time/cpuTime.ts';
import { type ForeignReader, foreignReaders } from '../support/untrusted/foreignReaders.ts';
import { assertLinear } from '../support/time/assertLinear.ts';
import { deeplyNestedJson, hostileInputs } from '../support/untrusted/hostileInputs.ts';

/** A person is told no more than this, in characters. */
const longestMessage = 4000;

/** What takes less than this, in milliseconds, is not measured more closely: the square of 100,000 takes seconds. */
const short = 50;

function mustStand({ read }: ForeignReader, text: string): void {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    assert.ok(error.message.length < longestMessage, 'a message that nobody can read');
  }
}

describe('whoever reads what others wrote', () => {
  for (const reader of foreignReaders) {
    it(`takes no longer than the text is long, and throws nothing but a UserError: ${reader.name}`, () => {
      for (const { name, text } of hostileInputs) {
        const whole = text(100_000);
        if (cpuMs(() => mustStand(reader, whole)) < short) continue;
        try {
          assertLinear(25_000, (size) => mustStand(reader, text(size)));
        } catch (cause) {
          throw new Error(`${name}: ${String(cause)}`, { cause });
        }
      }
    });

    it(`stands JSON of any depth: ${reader.name}`, () => {
      // At some depth one way to go through a value takes what another does not.
      for (const depth of [10, 100, 499, 501, 2000, 4000, 6000, 8000, 12_000, 30_000]) {
        for (const text of deeplyNestedJson(depth)) mustStand(reader, text);
      }
    });

    it(`stands a run of ten million characters: ${reader.name}`, () => {
      for (const { text, isSingleRun: isRun } of hostileInputs)
        if (isRun) mustStand(reader, text(10_000_000));
    });
  }
});
