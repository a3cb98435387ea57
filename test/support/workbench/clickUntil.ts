import type { Locator } from 'playwright-core';
import { waitFor } from '../time/waitFor.ts';

/** The expected effect of a click: a visible element, or a condition. */
export type Outcome = Locator | (() => unknown);

/** An attempt waits at least this long for the outcome of its click. */
const minAttemptMs = 5000;

/**
 * Clicks until the click has an effect. An element that is rendered again at that moment swallows a click. Before it
 * clicks again, it checks whether the effect has come in the meantime.
 * @param what the action, for the error message
 */
export async function clickUntil(
  what: string,
  outcome: Outcome,
  click: (timeoutMs: number) => Promise<unknown>,
): Promise<void> {
  let isFirst = true;
  await waitFor(`what comes of ${what}`, async (patienceMs) => {
    const timeout = Math.max(minAttemptMs, patienceMs);
    if (isFirst || !(await hasHappened(outcome))) {
      isFirst = false;
      await click(timeout);
    }
    if (typeof outcome === 'function') await waitFor('its outcome', outcome, timeout);
    else await outcome.waitFor({ timeout });
    return true;
  });
}

async function hasHappened(outcome: Outcome): Promise<boolean> {
  return Boolean(typeof outcome === 'function' ? await outcome() : await outcome.first().isVisible());
}
