import { t } from '../text/l10n.ts';

/** Whose a webhook secret is; `name` is what the user calls the project or app. */
export type SecretOwner =
  /** Of all that have none of their own. */
  | { kind: 'default' }
  | { kind: 'project'; projectId: string; name: string }
  | { kind: 'app'; projectId: string; name: string }
  /** Asked for once, for a run of that app. */
  | { kind: 'once'; projectId: string; name: string };

/** A webhook secret that is kept, to verify deliveries with. */
export interface KeptSecret {
  secret: string;
  /** When it ceases to verify, in Unix milliseconds; absent for one that its owner has now. */
  until?: number;
}

/** The same with its owner. */
export interface HeldSecret extends KeptSecret {
  owner: SecretOwner;
}

/** What a secret is set for: an app, a project, or, where neither is named, all that have none of their own. */
export interface SecretScope {
  projectId?: string | undefined;
  appName?: string | undefined;
}

/** The longest secret, in characters: a header has to hold it. */
const longest = 4096;

/** Whether a secret verifies what arrives at a time, in Unix milliseconds. */
export function verifiesAt({ until }: KeptSecret, at: number): boolean {
  // guard: it verifies for ten minutes, the last one alone, and the line says so
  return until === undefined || until > at;
}

/** Whether a secret is the only one that any owner has now: it need not be named then. */
export function isOnlyCurrent(one: HeldSecret, held: readonly HeldSecret[]): boolean {
  return one.until === undefined && held.filter(({ until }) => until === undefined).length === 1;
}

export function isSameOwner(one: SecretOwner, other: SecretOwner): boolean {
  if (one.kind === 'default' || other.kind === 'default') return one.kind === other.kind;
  return one.kind === other.kind && one.projectId === other.projectId && one.name === other.name;
}

/** Why a text cannot be a secret. What no header can carry can: somebody may sign with it all the same. */
export function secretProblem(secret: string): string | undefined {
  if (secret.trim() === '') return t('The secret is empty.');
  if (secret.length > longest) return t('The secret is longer than {0} characters.', longest);
  // Its UTF-8 bytes are the key: half a character has none.
  return secret.isWellFormed() ? undefined : t('The secret contains half a character.');
}

/** Why a secret cannot travel in the header `X-Webhook-Secret`, which takes its UTF-8 bytes. */
export function unsendableReason(secret: string): string | undefined {
  if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(secret)) {
    return t('it holds a line break or another control character, which no header can carry');
  }
  // Whoever receives a header takes off what stands around its value.
  return /^[ \t]|[ \t]$/.test(secret)
    ? t('it begins or ends with white space, which is stripped from headers on the way')
    : undefined;
}
