import type { Field, FieldName } from './appSettings.ts';
import { t } from '../text/l10n.ts';

/** What a field is called where people see it. */
export function fieldLabel(name: FieldName): string {
  switch (name) {
    case 'compute':
      return t('Compute');
    case 'gpuCount':
      return t('GPUs');
    case 'cpu':
      return t('CPU');
    case 'memory':
      return t('Memory');
    case 'minReplicaCount':
      return t('Minimum replicas');
    case 'maxReplicaCount':
      return t('Maximum replicas');
    case 'replicaConcurrency':
      return t('Replica concurrency');
    case 'cooldownPeriodSeconds':
      return t('Cooldown period');
    case 'responseGracePeriodSeconds':
      return t('Response grace period');
  }
}

/** The range of a field in words: `0–8`, `0–100, decimals too`, `1–3600 seconds`, `1 or more`; empty for a choice. */
export function fieldRange(field: Field): string {
  if (field.kind === 'choice') return '';
  const { minimum, maximum } = field;
  if (maximum === undefined) return t('{0} or more', minimum);
  if (field.kind === 'decimal') return t('{0}–{1}, decimals too', minimum, maximum);
  return field.unit === 'seconds' ? t('{0}–{1} seconds', minimum, maximum) : t('{0}–{1}', minimum, maximum);
}
