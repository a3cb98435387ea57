import { t } from '../../shared/text/l10n.ts';

/** The owner of a webhook secret; `name` is what the user calls the project or app. */
export type SecretOwner =
  /** Every project and app without a secret of its own. */
  | { kind: 'default' }
  | { kind: 'project'; projectId: string; name: string }
  | { kind: 'app'; projectId: string; name: string }
  /** Entered for a single run of that app. */
  | { kind: 'once'; projectId: string; name: string };

/** A webhook secret that is kept for verifying deliveries. */
export interface KeptSecret {
  secret: string;
  /** When it stops verifying, in Unix milliseconds; absent for its owner's current secret. */
  until?: number;
}

/** A kept secret with its owner. */
export interface HeldSecret extends KeptSecret {
  owner: SecretOwner;
}

/** What a secret is set for: an app, a project, or, if neither is given, everything without a secret of its own. */
export interface SecretScope {
  projectId?: string | undefined;
  appName?: string | undefined;
}

/** The longest secret, in characters: a header has to hold it. */
const longest = 4096;

/** Whether a secret verifies deliveries that arrive at a time, in Unix milliseconds. */
export function verifiesAt({ until }: KeptSecret, at: number): boolean {
  // guard S22: Only the last replaced secret still verifies, for ten minutes, and the line says so.
  return until === undefined || until > at;
}

/** Whether a secret is the only current one of all owners, so that it need not be named. */
export function isOnlyCurrent(one: HeldSecret, held: readonly HeldSecret[]): boolean {
  return one.until === undefined && held.filter(({ until }) => until === undefined).length === 1;
}

export function isSameOwner(one: SecretOwner, other: SecretOwner): boolean {
  if (one.kind === 'default' || other.kind === 'default') return one.kind === other.kind;
  return one.kind === other.kind && one.projectId === other.projectId && one.name === other.name;
}

/** Why a text cannot be a secret. A secret that no header can carry is allowed: somebody may still sign with it. */
export function secretProblem(secret: string): string | undefined {
  if (secret.trim() === '') return t('The secret is empty.');
  if (secret.length > longest) return t('The secret is longer than {0} characters.', longest);
  // The UTF-8 bytes of the secret are the key, and half a character has none.
  return secret.isWellFormed() ? undefined : t('The secret contains half a character.');
}

/** Why a secret cannot be sent in the header `X-Webhook-Secret`, which carries its UTF-8 bytes. */
export function unsendableReason(secret: string): string | undefined {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(secret)) {
    return t('it contains a line break or another control character, which no header can contain');
  }
  // Receivers strip white space around a header's value.
  return /^[ \t]|[ \t]$/.test(secret)
    ? t('it begins or ends with white space, which is stripped from headers on the way')
    : undefined;
}

const prefix = 'runhook.webhookSecrets';

/** The storage key of the secret of a scope. */
export function secretKeyOf({ projectId, appName }: SecretScope): string {
  if (projectId === undefined) return prefix;
  return `${prefix}:${JSON.stringify(appName === undefined ? [projectId] : [projectId, appName])}`;
}

/** The scope of the secret under a storage key; undefined if the key is not one of a webhook secret. */
export function scopeOfKey(key: string): SecretScope | undefined {
  if (key === prefix) return {};
  if (!key.startsWith(`${prefix}:`)) return undefined;
  const [projectId, appName] = JSON.parse(key.slice(prefix.length + 1)) as [string, string?];
  return { projectId, ...(appName !== undefined && { appName }) };
}

/** The default variable that an app reads the webhook secret from. */
export const usualSecretVariable = 'WEBHOOK_SECRET';

/** The workspace storage key of the variable that the user named. */
export const secretVariableKey = 'secrets.variable';

/** How long a secret verifies deliveries, in milliseconds. */
const heldMs = 60 * 60_000;
const maxSecrets = 4;

/** Secrets that the user entered for the delivery of a single run. Only in memory: the newest four, for an hour. */
export class OnceSecrets {
  readonly #now: () => number;
  #held: HeldSecret[] = [];

  /** @param now a clock in Unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  hold(secret: string, { projectId, appName }: { projectId: string; appName: string }): void {
    const until = this.#now() + heldMs;
    const newest: HeldSecret = { secret, owner: { kind: 'once', projectId, name: appName }, until };
    const others = this.all().filter((one) => one.secret !== secret);
    this.#held = [newest, ...others].slice(0, maxSecrets);
  }

  /** Newest first. */
  all(): readonly HeldSecret[] {
    const now = this.#now();
    // guard S25: A secret that is entered once is held in memory for an hour and never stored.
    this.#held = this.#held.filter((one) => verifiesAt(one, now));
    return this.#held;
  }

  erase(): void {
    this.#held = [];
  }
}
