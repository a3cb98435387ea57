import { randomBytes } from 'node:crypto';
import { unauthorized } from '../refusal.ts';

/** A key of a service account. The interface document does not show the fields of a token record (section 2). */
interface Key {
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; absent if the key does not expire. */
  expiresAt?: string;
}

export interface SeededAccount {
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
export function seededAccounts(now: number): SeededAccount[] {
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

/** A token of a service account. Times are Unix milliseconds. */
interface AccessToken {
  issuedAt: number;
  expiresAt: number;
  isRevoked: boolean;
}

/** The tokens that a sandbox has issued. They are looked up as a whole; nothing is read from their claims. */
export class AccessTokens {
  readonly #projectId: string;
  readonly #issued = new Map<string, AccessToken>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Issues a JWT as in the interface document (section 5). Its signature is random, since nobody verifies it. */
  make(accountId: string, token: AccessToken): string {
    const claims = {
      iss: 'runhook-sandbox',
      sub: accountId,
      project_id: this.#projectId,
      iat: Math.floor(token.issuedAt / 1000),
      exp: Math.floor(token.expiresAt / 1000),
    };
    const parts = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)));
    const text = [...parts, randomBytes(32)].map((part) => part.toString('base64url')).join('.');
    this.#issued.set(text, token);
    return text;
  }

  /** Issues a token that the sandbox of the window before its reload has issued. */
  issueAgain(text: string, token: AccessToken): void {
    this.#issued.set(text, token);
  }

  /**
   * Every call carries `Authorization: Bearer <token>` (service-interface.md, section 5).
   * @param now Unix milliseconds
   * @throws Refusal 401
   */
  check(authorization: string | undefined, now: number): void {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw unauthorized('The call carries no bearer token.');
    const issued = this.#issued.get(token);
    if (issued === undefined) throw unauthorized('The bearer token is not valid.');
    if (issued.isRevoked) throw unauthorized('The bearer token was revoked.');
    if (now >= issued.expiresAt) throw unauthorized('The bearer token has expired.');
  }
}
