import { randomBytes } from 'node:crypto';
import { unauthorized } from '../refusal.ts';

/** A token of a service account. Times are Unix milliseconds. */
export interface AccessToken {
  issuedAt: number;
  expiresAt: number;
  isRevoked: boolean;
}

/** The tokens that a sandbox has made. It knows them by themselves, and reads nothing out of them. */
export class AccessTokens {
  readonly #projectId: string;
  readonly #made = new Map<string, AccessToken>();

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  /** Makes a JWT, as the interface document shows it (section 5). Nobody has to verify its signature. */
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
    this.#made.set(text, token);
    return text;
  }

  /**
   * Every call carries `Authorization: Bearer <token>` (service-interface.md, section 5).
   * @param now Unix milliseconds
   * @throws Refusal 401
   */
  check(authorization: string | undefined, now: number): void {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw unauthorized('The call carries no bearer token.');
    const made = this.#made.get(token);
    if (made === undefined) throw unauthorized('The bearer token is not valid.');
    if (made.isRevoked) throw unauthorized('The bearer token was revoked.');
    if (now >= made.expiresAt) throw unauthorized('The bearer token has expired.');
  }
}
