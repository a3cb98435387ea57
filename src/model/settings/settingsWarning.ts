import type { AppSettings, FieldName } from './appSettings.ts';
import { t } from '../text/l10n.ts';

/** A setting that the interface document allows but that is probably a mistake. It never blocks. */
export interface SettingsWarning {
  field: FieldName;
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
  const warn = (fields: readonly FieldName[], text: string) => {
    const field = fields.find((name) => changes[name] !== undefined);
    // A warning about fields that are not being changed would only be noise.
    if (field !== undefined) warnings.push({ field, text });
  };
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
