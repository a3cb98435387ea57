import { randomBytes } from 'node:crypto';
import { unauthorized } from '../refusal.ts';

/** A token of a service account. Times are Unix milliseconds. */
export interface AccessToken {
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
