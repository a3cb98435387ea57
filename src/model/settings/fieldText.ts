import type { Field, FieldName } from './appSettings.ts';
import { t } from '../text/l10n.ts';

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

/** The range of a field in words: `0–8`, `0–100, decimals too`, `1–3600 seconds`, `1 or more`; empty for a choice. */
export function fieldRange(field: Field): string {
  if (field.kind === 'choice') return '';
  const { minimum, maximum } = field;
  if (maximum === undefined) return t('{0} or more', minimum);
  if (field.kind === 'decimal') return t('{0}–{1}, decimals too', minimum, maximum);
  return field.unit === 'seconds' ? t('{0}–{1} seconds', minimum, maximum) : t('{0}–{1}', minimum, maximum);
}
