import type { AccessToken } from './accessTokens.ts';

/** A key of a service account. The document does not show the fields of a token record (section 2). */
export interface Key {
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; absent where the key does not expire. */
  expiresAt?: string;
}

export interface ServiceAccount {
  id: string;
  name: string;
  environment: string;
  /** The one that this editor has at the start. */
  token: AccessToken;
  keys: Key[];
}

/** What a service account is at the start. Days are from then on; half a day more, so that whole days stay the same. */
interface Seed {
  name: string;
  environment: string;
  token: { issuedDaysAgo: number; expiresInDays: number; isRevoked: boolean };
  keys: [name: string, createdDaysAgo: number, expiresInDays?: number][];
}

/** One account an environment (section 5). Its token is good in the first, has expired in the second, and was revoked in the third. */
const seeds: readonly Seed[] = [
  {
    name: 'ci',
    environment: 'dev',
    token: { issuedDaysAgo: 0, expiresInDays: 83.5, isRevoked: false },
    keys: [
      ['this-editor', 0, 83.5],
      ['deploy-bot', 120, 245.5],
      ['laptop', 84, 6.5],
      ['old-laptop', 400, -35.5],
      ['nightly', 30],
    ],
  },
  {
    name: 'preview',
    environment: 'staging',
    token: { issuedDaysAgo: 93, expiresInDays: -3.5, isRevoked: false },
    keys: [
      ['this-editor', 93, -3.5],
      ['load-test', 20, 70.5],
    ],
  },
  {
    name: 'production',
    environment: 'prod',
    token: { issuedDaysAgo: 40, expiresInDays: 50.5, isRevoked: true },
    keys: [['pipeline', 10, 80.5]],
  },
];

export const dayMs = 24 * 60 * 60 * 1000;

/** The service accounts with their keys. @param now Unix milliseconds */
export function seededAccounts(now: number): ServiceAccount[] {
  const after = (days: number) => now + days * dayMs;
  const at = (days: number) => new Date(after(days)).toISOString();
  let count = 0;
  return seeds.map(({ name, environment, token, keys }) => ({
    id: `sa-${name}`,
    name,
    environment,
    token: {
      issuedAt: after(-token.issuedDaysAgo),
      expiresAt: after(token.expiresInDays),
      isRevoked: token.isRevoked,
    },
    keys: keys.map(([keyName, createdDaysAgo, expiresInDays]) => ({
      id: `key-${(count += 1)}`,
      name: keyName,
      createdAt: at(-createdDaysAgo),
      ...(expiresInDays !== undefined && { expiresAt: at(expiresInDays) }),
    })),
  }));
}
