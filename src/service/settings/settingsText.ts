import { type AppSettings, entriesOf, type Field, type FieldName, inOrder } from './appSettings.ts';
import { t } from '../../shared/text/l10n.ts';

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
  return [...changes(known, settings), ...warningTexts(known, settings).map((text) => `⚠ ${text}`)];
}

/** Warnings about what is to be sent: one about fields that are not being changed would only be noise. */
export function warningTexts(known: AppSettings, settings: AppSettings): string[] {
  return settingsWarnings(known, settings)
    .filter(({ fields }) => fields.some((name) => settings[name] !== undefined))
    .map(({ text }) => text);
}

/** What changes comes first: a row may cut off the rest. An unknown old value is shown as a question mark. */
function changes(known: AppSettings, settings: AppSettings): string[] {
  const entries = entriesOf(settings);
  const changed = entries.filter(([name, after]) => known[name] !== after);
  const same = entries.filter(([name, after]) => known[name] === after);
  return [
    ...changed.map(([name, after]) => `${fieldLabel(name)} ${known[name] ?? '?'} → ${after}`),
    ...same.map(([name, after]) => t('{0} {1} (same as last applied)', fieldLabel(name), after)),
  ];
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

const labels: Record<FieldName, () => string> = {
  compute: () => t('Compute'),
  gpuCount: () => t('GPUs'),
  cpu: () => t('CPU'),
  memory: () => t('Memory'),
  minReplicaCount: () => t('Minimum replicas'),
  maxReplicaCount: () => t('Maximum replicas'),
  replicaConcurrency: () => t('Replica concurrency'),
  cooldownPeriodSeconds: () => t('Cooldown period'),
  responseGracePeriodSeconds: () => t('Response grace period'),
};

/** What a field is called where people see it. */
export function fieldLabel(name: FieldName): string {
  return labels[name]();
}

export function fieldLabels(names: readonly FieldName[]): string {
  return names.map(fieldLabel).join(', ');
}

/** What an undo did. @param stays what it could not bring back */
export function undoneText(stays: readonly FieldName[]): string {
  if (stays.length === 0) return t('The last apply was undone.');
  return t('Undone except for {0}: what was in force before is not known.', fieldLabels(stays));
}

/** The range of a field in words: `0–8`, `0–100, decimals too`, `1–3600 seconds`, `1 or more`; empty for a choice. */
export function fieldRange(field: Field): string {
  if (field.kind === 'choice') return '';
  const { minimum, maximum } = field;
  if (maximum === undefined) return t('{0} or more', minimum);
  if (field.kind === 'decimal') return t('{0}–{1}, decimals too', minimum, maximum);
  return field.unit === 'seconds' ? t('{0}–{1} seconds', minimum, maximum) : t('{0}–{1}', minimum, maximum);
}

/** Settings that the interface document allows but that are probably a mistake together. It never blocks. */
export interface SettingsWarning {
  fields: readonly FieldName[];
  text: string;
}

/** The computes whose accelerators count as GPUs. INF2 and TRN1 are not GPUs. */
const gpuComputes = ['ADA_L4', 'ADA_L40', 'AMPERE_A10', 'TURING_T4'];

/**
 * Warnings about the settings as they will be once the changes are in force.
 * @param known the settings believed to be in force now; unknown ones are not judged
 * @param changes what is about to be sent
 */
export function settingsWarnings(known: AppSettings, changes: AppSettings): SettingsWarning[] {
  const {
    compute = '',
    gpuCount,
    minReplicaCount = 0,
    maxReplicaCount = Infinity,
  } = { ...known, ...changes };
  const warnings: SettingsWarning[] = [];
  const warn = (fields: readonly FieldName[], text: string) => void warnings.push({ fields, text });
  if (minReplicaCount > maxReplicaCount) {
    warn(
      ['minReplicaCount', 'maxReplicaCount'],
      t('The minimum of {0} replicas is above the maximum of {1}.', minReplicaCount, maxReplicaCount),
    );
  }
  if (compute === 'CPU' && gpuCount !== undefined && gpuCount > 0) {
    warn(['gpuCount', 'compute'], t('The compute is CPU, and the number of GPUs is not 0.'));
  }
  if (gpuComputes.includes(compute) && gpuCount === 0) {
    warn(['gpuCount', 'compute'], t('{0} is an accelerator, and the number of GPUs is 0.', compute));
  }
  return warnings;
}
