import { type AppSettings, type FieldName, fields } from './appSettings.ts';
import { fieldLabel } from './fieldText.ts';
import { settingsWarnings } from './settingsWarning.ts';
import { t } from '../text/l10n.ts';

/** The settings that have a value, in display order. */
export function entriesOf(settings: AppSettings): [name: FieldName, value: string | number][] {
  return fields.flatMap(({ name }) => {
    const value = settings[name];
    return value === undefined ? [] : [[name, value]];
  });
}

export function inOrder(settings: AppSettings): AppSettings {
  return Object.fromEntries(entriesOf(settings));
}

/** The body of the PATCH, formatted for reading. */
export function settingsText(settings: AppSettings): string {
  return JSON.stringify(inOrder(settings), undefined, 2);
}

/** Settings in one line: `GPUs 2, Memory 16`. */
export function settingsSummary(settings: AppSettings): string {
  return entriesOf(settings)
    .map(([name, value]) => `${fieldLabel(name)} ${value}`)
    .join(', ');
}

/** What settings change, in one line: `GPUs 1 → 2, Memory ? → 16, CPU 4 (same as last applied)`. */
export function changeSummary(known: AppSettings, settings: AppSettings): string {
  return changes(known, settings).join(', ');
}

/**
 * The lines of the question before an apply: each field with its old and new value, then the warnings.
 * @param known the settings believed to be in force
 */
export function changeLines(known: AppSettings, settings: AppSettings): string[] {
  const warnings = settingsWarnings(known, settings).map(({ text }) => `⚠ ${text}`);
  return [...changes(known, settings), ...warnings];
}

/** An unknown old value is shown as a question mark. */
function changes(known: AppSettings, settings: AppSettings): string[] {
  return entriesOf(settings).map(([name, after]) => {
    const [label, before] = [fieldLabel(name), known[name]];
    return before === after
      ? t('{0} {1} (same as last applied)', label, after)
      : `${label} ${before ?? '?'} → ${after}`;
  });
}

/**
 * The changes of an apply as a diff, one value per line: `- gpuCount: 1`, `+ gpuCount: 2`. An unknown old value
 * has no `-` line.
 * @param known the settings believed to be in force
 */
export function settingsDiff(known: AppSettings, wanted: AppSettings): string {
  const lines = entriesOf(wanted).flatMap(([name, after]) => {
    const before = known[name];
    if (before === after) return [`  ${name}: ${JSON.stringify(after)}`];
    const removed = before === undefined ? [] : [`- ${name}: ${JSON.stringify(before)}`];
    return [...removed, `+ ${name}: ${JSON.stringify(after)}`];
  });
  return lines.join('\n');
}
