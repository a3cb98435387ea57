import type { Expectation } from '../fixture/fixtureSchema.ts';
import { defaultSettling } from './afterwards.ts';
import type { Variant } from './variant.ts';

/** As long as a file may say, in milliseconds. */
const longMs = 600_000;

/** The same variant with all the time there is: an app that is debugged may stand still at a breakpoint. */
export function patient(variant: Variant): Variant {
  return { ...variant, expect: unhurried(variant.expect), first: unhurried(variant.first) };
}

/** What became of it is asked for as long as the file says, and not for minutes: one answer may take as long as it likes. */
function unhurried({ after, ...expect }: Expectation): Expectation {
  if (after === undefined) return { ...expect, within: longMs };
  const { within = 0, ...asked } = after;
  return { ...expect, within: longMs, after: within > defaultSettling ? after : asked };
}
