import { mintToken } from './accessToken.ts';

/** What a bearer token is worth. */
export type TokenWorth = 'good' | 'expired' | 'revoked' | 'unknown';

/** The tokens that a sandbox has made. It knows them by themselves, and reads nothing out of them. */
export class AccessTokens {
  readonly #projectId: string;
  readonly #made = new Map<string, { expiresAt: number; isRevoked: boolean }>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Makes a token of a service account. Times are Unix milliseconds. */
  make(token: { accountId: string; issuedAt: number; expiresAt: number; isRevoked?: boolean }): string {
    const { accountId, issuedAt, expiresAt, isRevoked = false } = token;
    const text = mintToken(this.#projectId, accountId, issuedAt, expiresAt);
    this.#made.set(text, { expiresAt, isRevoked });
    return text;
  }

  /** @param now Unix milliseconds */
  worth(token: string, now: number): TokenWorth {
    const made = this.#made.get(token);
    if (made === undefined) return 'unknown';
    if (made.isRevoked) return 'revoked';
    return now < made.expiresAt ? 'good' : 'expired';
  }
}
