import type { AppSettings, FieldName } from './appSettings.ts';
import { t } from '../text/l10n.ts';

/** Something that the interface document does not forbid and that is hardly meant. It never blocks. */
export type SettingsWarning =
  | { code: 'minimumAboveMaximum'; field: FieldName; minimum: number; maximum: number }
  | { code: 'gpusWithCpuCompute'; field: FieldName }
  | { code: 'acceleratorWithoutGpus'; field: FieldName; compute: string };

/** Which computes have their accelerators counted as GPUs. INF2 and TRN1 are no GPUs. */
const gpuComputes = new Set(['ADA_L4', 'ADA_L40', 'AMPERE_A10', 'TURING_T4']);

/**
 * What deserves a second look once the changes are in force.
 * @param known what is believed to be in force now; what is not known is not judged
 * @param changes what is about to be sent
 */
export function settingsWarnings(known: AppSettings, changes: AppSettings): SettingsWarning[] {
  const { compute, gpuCount, minReplicaCount, maxReplicaCount } = { ...known, ...changes };
  const warnings: SettingsWarning[] = [];
  if (minReplicaCount !== undefined && maxReplicaCount !== undefined && minReplicaCount > maxReplicaCount) {
    const field = changes.minReplicaCount === undefined ? 'maxReplicaCount' : 'minReplicaCount';
    warnings.push({ code: 'minimumAboveMaximum', field, minimum: minReplicaCount, maximum: maxReplicaCount });
  }
  const field = changes.gpuCount === undefined ? 'compute' : 'gpuCount';
  if (compute === 'CPU' && gpuCount !== undefined && gpuCount > 0) {
    warnings.push({ code: 'gpusWithCpuCompute', field });
  }
  if (compute !== undefined && gpuComputes.has(compute) && gpuCount === 0) {
    warnings.push({ code: 'acceleratorWithoutGpus', field, compute });
  }
  return warnings.filter((warning) => changesTouch(changes, warning));
}

/** A warning about what nobody changes now would only be noise. */
function changesTouch(changes: AppSettings, warning: SettingsWarning): boolean {
  const fields: FieldName[] =
    warning.code === 'minimumAboveMaximum' ? ['minReplicaCount', 'maxReplicaCount'] : ['compute', 'gpuCount'];
  return fields.some((field) => changes[field] !== undefined);
}

/** A warning in words. */
export function settingsWarningText(warning: SettingsWarning): string {
  switch (warning.code) {
    case 'minimumAboveMaximum':
      return t('The minimum of {0} replicas is above the maximum of {1}.', warning.minimum, warning.maximum);
    case 'gpusWithCpuCompute':
      return t('The compute is CPU, and the number of GPUs is not 0.');
    case 'acceleratorWithoutGpus':
      return t('{0} is an accelerator, and the number of GPUs is 0.', warning.compute);
  }
}
