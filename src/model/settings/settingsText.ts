import { type AppSettings, type FieldName, fields } from './appSettings.ts';
import { fieldLabel } from './fieldText.ts';
import { settingsWarnings } from './settingsWarning.ts';
import { t } from '../text/l10n.ts';

/** The settings that are there, in the order in which people are shown them. */
export function entriesOf(settings: AppSettings): [name: FieldName, value: string | number][] {
  return fields.flatMap(({ name }) => {
    const value = settings[name];
    return value === undefined ? [] : [[name, value]];
  });
}

export function inOrder(settings: AppSettings): AppSettings {
  return Object.fromEntries(entriesOf(settings));
}

/** The body of the PATCH as people read it. */
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
 * What a question says of an apply: each field with the values before and after, then what deserves a second look.
 * @param known what is believed to be in force
 */
export function changeLines(known: AppSettings, settings: AppSettings): string[] {
  const warnings = settingsWarnings(known, settings).map(({ text }) => `⚠ ${text}`);
  return [...changes(known, settings), ...warnings];
}

/** What is not known is a question mark. */
function changes(known: AppSettings, settings: AppSettings): string[] {
  return entriesOf(settings).map(([name, after]) => {
    const [label, before] = [fieldLabel(name), known[name]];
    return before === after
      ? t('{0} {1} (same as last applied)', label, after)
      : `${label} ${before ?? '?'} → ${after}`;
  });
}

/**
 * What an apply changes, one line a value, as a diff shows it: `- gpuCount: 1`, `+ gpuCount: 2`. A value that
 * nobody knows has no line that goes.
 * @param known what is believed to be in force
 */
export function settingsDiff(known: AppSettings, wanted: AppSettings): string {
  const lines = entriesOf(wanted).flatMap(([name, after]) => {
    const before = known[name];
    if (before === after) return [`  ${name}: ${JSON.stringify(after)}`];
    const gone = before === undefined ? [] : [`- ${name}: ${JSON.stringify(before)}`];
    return [...gone, `+ ${name}: ${JSON.stringify(after)}`];
  });
  return lines.join('\n');
}
