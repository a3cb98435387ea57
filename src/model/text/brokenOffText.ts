import { t } from './l10n.ts';

/** How far something came before it broke off, to the byte. @param announced how many were to come, where that was said */
export function brokenOffText(bytes: number, announced?: number): string {
  if (announced !== undefined) return t('broke off after {0} of {1} bytes', bytes, announced);
  return bytes === 1 ? t('broke off after 1 byte') : t('broke off after {0} bytes', bytes);
}
