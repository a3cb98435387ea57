import { type AppSettings, fields } from './appSettings.ts';

/**
 * What takes an apply back: the values before it of the fields that it set, where they are known and differ.
 * Without an apply there is nothing to take back.
 */
export function undoOf(applied: { sent: AppSettings; before: AppSettings } | undefined): AppSettings {
  if (applied === undefined) return {};
  const entries = fields.flatMap(({ name }) => {
    const previous = applied.before[name];
    const differs = applied.sent[name] !== undefined && previous !== applied.sent[name];
    return previous !== undefined && differs ? [[name, previous] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The settings in the order in which people are shown them. */
export function inOrder(settings: AppSettings): AppSettings {
  return Object.fromEntries(
    fields.flatMap(({ name }) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
  );
}

/** The body of the PATCH as people read it. */
export function settingsText(settings: AppSettings): string {
  return JSON.stringify(inOrder(settings), undefined, 2);
}
