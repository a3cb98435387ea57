import type { AppSettings } from './appSettings.ts';
import { t } from '../text/l10n.ts';

/** Settings under a name, to be put into a form. */
export interface NamedSettings {
  name: string;
  settings: AppSettings;
}

/** The presets that everybody has. They set the fewest fields that make what their name says. */
export function builtInPresets(): NamedSettings[] {
  return [
    { name: t('Scale to zero'), settings: { minReplicaCount: 0, cooldownPeriodSeconds: 60 } },
    { name: t('Always on'), settings: { minReplicaCount: 1 } },
    {
      name: t('Burst'),
      settings: { minReplicaCount: 0, maxReplicaCount: 20, cooldownPeriodSeconds: 300 },
    },
  ];
}
