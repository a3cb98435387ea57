import type { SecretScope } from './webhookSecret.ts';

const prefix = 'runhook.webhookSecrets';

/** Under what the secret of a scope is stored. */
export function keyOf({ projectId, appName }: SecretScope): string {
  if (projectId === undefined) return prefix;
  return `${prefix}:${JSON.stringify(appName === undefined ? [projectId] : [projectId, appName])}`;
}

/** What the secret under a key is set for; undefined for the key of something else. */
export function scopeOf(key: string): SecretScope | undefined {
  if (key === prefix) return {};
  if (!key.startsWith(`${prefix}:`)) return undefined;
  const [projectId, appName] = JSON.parse(key.slice(prefix.length + 1)) as [string, string?];
  return { projectId, ...(appName !== undefined && { appName }) };
}
