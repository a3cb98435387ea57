import { readFileSync } from 'node:fs';

declare const runhookVersion: string | undefined;

/** The version of Runhook: the build writes it in; from the sources it is that of package.json. */
export function version(): string {
  if (typeof runhookVersion !== 'undefined') return runhookVersion;
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
