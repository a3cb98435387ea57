import type { Expectation } from '../fixture/fixtureSchema.ts';
import type { Variant } from './variant.ts';

/** As long as a file may say, in milliseconds. */
const longMs = 600_000;

/** The same variant with all the time there is: an app that is debugged may stand still at a breakpoint. */
export function patient(variant: Variant): Variant {
  return { ...variant, expect: unhurried(variant.expect), first: unhurried(variant.first) };
}

function unhurried({ after, ...expect }: Expectation): Expectation {
  return { ...expect, within: longMs, ...(after && { after: { ...after, within: longMs } }) };
}
