import type { AccessToken } from './accessTokens.ts';

/** A key of a service account. The interface document does not show the fields of a token record (section 2). */
export interface Key {
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; absent if the key does not expire. */
  expiresAt?: string;
}

export interface ServiceAccount {
  id: string;
  name: string;
  environment: string;
  /** The initial token, which this editor uses. */
  token: AccessToken;
  keys: Key[];
}

/** The initial data of a service account. Days count from the start; half days keep the whole days shown stable. */
interface Seed {
  name: string;
  environment: string;
  token: { issuedDaysAgo: number; expiresInDays: number; isRevoked: boolean };
  keys: [name: string, createdDaysAgo: number, expiresInDays?: number][];
}

/** One account per environment (section 5). The tokens are, in this order: valid, expired, revoked. */
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
