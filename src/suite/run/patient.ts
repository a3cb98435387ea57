import type { Expectation } from '../fixture/fixtureSchema.ts';
import { defaultSettling } from './afterwards.ts';
import type { Variant } from './variant.ts';

/** The longest time that a file may set, in milliseconds. */
const longMs = 600_000;

/** The same variant with the longest time limits: an app that is debugged may stop at a breakpoint. */
export function patient(variant: Variant): Variant {
  return { ...variant, expect: unhurried(variant.expect), first: unhurried(variant.first) };
}

/** Polls afterwards as long as the file says, at least the default time, not for minutes. One answer may be slow. */
function unhurried({ after, ...expect }: Expectation): Expectation {
  if (after === undefined) return { ...expect, within: longMs };
  const { within = 0, ...asked } = after;
  return { ...expect, within: longMs, after: within > defaultSettling ? after : asked };
}
