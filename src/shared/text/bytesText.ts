import { oneDecimal, t } from './l10n.ts';

/** `310 B`, `1.2 KB`, `64 KB`, `4.0 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, 'KB'] : [bytes / 1024 / 1024, 'MB'];
  return `${value < 9.95 ? oneDecimal(value) : Math.round(value)} ${unit}`;
}

/** How many bytes arrived before a transfer broke off. @param announced how many were announced, if that is known */
export function brokenOffText(bytes: number, announced?: number): string {
  if (announced !== undefined) return t('broke off at {0} of {1} bytes', bytes, announced);
  return bytes === 1 ? t('broke off after 1 byte') : t('broke off after {0} bytes', bytes);
}

/** Where a transfer broke off, and why. */
export function brokenOffWithReason(part: { bytes: number; announced?: number; wasLate?: true }): string {
  return `${brokenOffText(part.bytes, part.announced)}: ${brokenOffReason(part.wasLate)}`;
}

/** Why. @param wasLate whether too little came for too long, so that the receiver closed the connection */
export function brokenOffReason(wasLate: boolean | undefined): string {
  return wasLate === true
    ? t('the rest did not arrive in time')
    : t('the connection was closed before the rest arrived');
}
