import type { AppSettings } from './appSettings.ts';
import { entriesOf } from './settingsText.ts';

/**
 * The settings that undo an apply: the previous values of the fields that it set, if known and different.
 * Empty if there is no apply.
 */
export function undoOf(applied: { sent: AppSettings; before: AppSettings } | undefined): AppSettings {
  if (applied === undefined) return {};
  const changed = entriesOf(applied.sent).filter(([name, sent]) => applied.before[name] !== sent);
  const before = changed.map(([name]) => [name, applied.before[name]] as const);
  return Object.fromEntries(before.filter(([, value]) => value !== undefined));
}
