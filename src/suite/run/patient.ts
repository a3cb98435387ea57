import type { Expectation } from '../fixture/fixtureSchema.ts';
import type { Variant } from './variant.ts';

/** As long as a file may say, in milliseconds. */
const longMs = 600_000;

/** The same variant with all the time there is: an app that is debugged may stand still at a breakpoint. */
export function patient(variant: Variant): Variant {
  return { ...variant, expect: unhurried(variant.expect), first: unhurried(variant.first) };
}

/** What became of it the app shows in its own time: its question waits for an answer, and is not asked for minutes. */
function unhurried({ after, ...expect }: Expectation): Expectation {
  if (after === undefined) return { ...expect, within: longMs };
  const { within: _, ...asked } = after;
  return { ...expect, within: longMs, after: asked };
}
