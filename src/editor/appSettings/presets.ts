import type { AppSettings } from '../../model/settings/appSettings.ts';
import { builtInPresets } from '../../model/settings/preset.ts';
import { settingsSummary } from '../../model/settings/settingsSummary.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { SettingsFiles } from './settingsFiles.ts';
import { t } from '../../model/text/l10n.ts';

/**
 * Asks for settings to put into a form: built-in ones, or those of a settings file of the workspace, whichever app it
 * names. Undefined where none was picked.
 */
export async function pickPreset(files: SettingsFiles, prompts: Prompts): Promise<AppSettings | undefined> {
  const presets = [...builtInPresets(), ...(await files.inWorkspace())];
  return prompts.pick(
    t('Presets'),
    presets.map(({ name, settings }) => ({
      label: name,
      description: settingsSummary(settings),
      value: settings,
    })),
  );
}
