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

/** One line of help: what the interface document says of the field, and no more (section 2). */
export function fieldHelp(name: FieldName): string {
  switch (name) {
    case 'compute':
      return t('The kind of compute that the app runs on.');
    case 'gpuCount':
      return t('Number of GPUs.');
    case 'cpu':
      return t('CPU allocation. Decimals are allowed.');
    case 'memory':
      return t('Memory allocation. Decimals are allowed.');
    case 'minReplicaCount':
      return t('The fewest replicas.');
    case 'maxReplicaCount':
      return t('The most replicas.');
    case 'replicaConcurrency':
      return t('Maximum concurrency per replica.');
    case 'cooldownPeriodSeconds':
      return t('Cooldown period of the app, in seconds.');
    case 'responseGracePeriodSeconds':
      return t('Grace period of a response, in seconds.');
  }
}

/** The range of a field in words, with its unit: `0–8`, `1–3600 seconds`, `1 or more`; empty for a choice. */
export function fieldRange(field: Field): string {
  if (field.kind === 'choice') return '';
  const { minimum, maximum } = field;
  if (maximum === undefined) return t('{0} or more', minimum);
  return field.kind === 'integer' && field.unit === 'seconds'
    ? t('{0}–{1} seconds', minimum, maximum)
    : t('{0}–{1}', minimum, maximum);
}
