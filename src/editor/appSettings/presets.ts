import type { AppSettings } from '../../model/settings/appSettings.ts';
import { settingsSummary } from '../../model/settings/settingsText.ts';
import { t } from '../../model/text/l10n.ts';
import type { Prompts } from '../kit/prompts.ts';
import { type NamedSettings, settingsInWorkspace } from './settingsFiles.ts';

/** The built-in presets. Each sets only the fields that its name needs. */
function builtIn(): NamedSettings[] {
  return [
    { name: t('Scale to zero'), settings: { minReplicaCount: 0, cooldownPeriodSeconds: 60 } },
    { name: t('Always on'), settings: { minReplicaCount: 1 } },
    {
      name: t('Burst'),
      settings: { minReplicaCount: 0, maxReplicaCount: 20, cooldownPeriodSeconds: 300 },
    },
  ];
}

/**
 * Asks for settings to put into a form: a built-in preset, or a settings file of the workspace, whichever app
 * the file names. Undefined if none was picked.
 */
export async function pickPreset(prompts: Prompts): Promise<AppSettings | undefined> {
  const presets = [...builtIn(), ...(await settingsInWorkspace())];
  return prompts.pick(
    t('Presets'),
    presets.map(({ name, settings }) => ({
      label: name,
      description: settingsSummary(settings),
      value: settings,
    })),
  );
}
