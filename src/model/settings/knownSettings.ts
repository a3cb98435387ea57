import type { AppSettings } from './appSettings.ts';

/** What is known after an apply: what the answer carried wins over what was sent, that over what was known. */
export function knownOf(before: AppSettings, sent: AppSettings, answered: AppSettings): AppSettings {
  return { ...before, ...sent, ...answered };
}
