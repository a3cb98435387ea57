import { readFileSync } from 'node:fs';

declare const runhookVersion: string | undefined;

/** Whether this runs from the build, whose files lie in one folder. */
export const isBundled = typeof runhookVersion !== 'undefined';

/** The version of Runhook: set by the build, or read from package.json when run from the sources. */
export function version(): string {
  if (typeof runhookVersion !== 'undefined') return runhookVersion;
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
