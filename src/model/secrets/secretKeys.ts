import type { SecretScope } from './webhookSecret.ts';

const prefix = 'runhook.webhookSecrets';

/** The storage key of the secret of a scope. */
export function keyOf({ projectId, appName }: SecretScope): string {
  if (projectId === undefined) return prefix;
  return `${prefix}:${JSON.stringify(appName === undefined ? [projectId] : [projectId, appName])}`;
}

/** The scope of the secret under a storage key; undefined if the key is not one of a webhook secret. */
export function scopeOf(key: string): SecretScope | undefined {
  if (key === prefix) return {};
  if (!key.startsWith(`${prefix}:`)) return undefined;
  const [projectId, appName] = JSON.parse(key.slice(prefix.length + 1)) as [string, string?];
  return { projectId, ...(appName !== undefined && { appName }) };
}
