import { t } from '../text/l10n.ts';

/** How often something was delivered again: `1 repeat`, `2 repeats`. */
export function repeatsText(count: number): string {
  return count === 1 ? t('1 repeat') : t('{0} repeats', count);
}
