import type { Locator } from 'playwright-core';
import { waitFor } from './waitFor.ts';

/** What comes of a click: something on the screen, or an answer that is truthy then. */
export type Outcome = Locator | (() => unknown);

/** A click that came through has its outcome by then, but for a very busy machine. */
const patienceAtLeastMs = 5000;

/**
 * Clicks until something comes of it. What is drawn anew at that moment swallows a click; what has come meanwhile is not
 * clicked again.
 * @param what is clicked, for the message of the failure
 */
export async function clickUntil(
  what: string,
  outcome: Outcome,
  click: (timeoutMs: number) => Promise<unknown>,
): Promise<void> {
  let isFirst = true;
  await waitFor(`what comes of ${what}`, async (patienceMs) => {
    const timeout = Math.max(patienceAtLeastMs, patienceMs);
    if (isFirst || !(await hasCome(outcome))) {
      isFirst = false;
      await click(timeout);
    }
    if (typeof outcome === 'function') await waitFor('its outcome', outcome, timeout);
    else await outcome.waitFor({ timeout });
    return true;
  });
}

async function hasCome(outcome: Outcome): Promise<boolean> {
  return Boolean(typeof outcome === 'function' ? await outcome() : await outcome.first().isVisible());
}
