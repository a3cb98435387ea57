import { type AppSettings, fields } from './appSettings.ts';
import { fieldLabel } from './fieldText.ts';
import { t } from '../text/l10n.ts';

/** Settings in one line: `GPUs 2, Memory 16`. */
export function settingsSummary(settings: AppSettings): string {
  return fields
    .filter(({ name }) => settings[name] !== undefined)
    .map(({ name }) => `${fieldLabel(name)} ${settings[name] ?? ''}`)
    .join(', ');
}

/**
 * What settings change, in one line: `GPUs 1 → 2, Memory ? → 16, CPU 4 (same as last applied)`. What is not known is
 * a question mark.
 */
export function changeSummary(known: AppSettings, settings: AppSettings): string {
  return fields
    .filter(({ name }) => settings[name] !== undefined)
    .map(({ name }) => {
      const [label, before, after] = [fieldLabel(name), known[name], settings[name] ?? ''];
      return before === after
        ? t('{0} {1} (same as last applied)', label, after)
        : `${label} ${before ?? '?'} → ${after}`;
    })
    .join(', ');
}
