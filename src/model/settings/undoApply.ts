import type { AppSettings } from './appSettings.ts';
import { entriesOf } from './settingsText.ts';

/**
 * What takes an apply back: the values before it of the fields that it set, where they are known and differ.
 * Without an apply there is nothing to take back.
 */
export function undoOf(applied: { sent: AppSettings; before: AppSettings } | undefined): AppSettings {
  if (applied === undefined) return {};
  const changed = entriesOf(applied.sent).filter(([name, sent]) => applied.before[name] !== sent);
  const before = changed.map(([name]) => [name, applied.before[name]] as const);
  return Object.fromEntries(before.filter(([, value]) => value !== undefined));
}
