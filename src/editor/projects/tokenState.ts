/** What is known of a token without reading it. */
export type TokenState =
  /** `elsewhere` is the origin of another address that the account has a token for: it is sent only there. */
  | { kind: 'none'; elsewhere?: string | undefined }
  | ({ kind: 'stored' } & TokenMetadata)
  /** It was stored, but the secret store has lost it. */
  | { kind: 'missing' };

export interface TokenMetadata {
  /** In milliseconds since 1970; undefined if the token does not say. */
  expiresAt?: number | undefined;
  /** Whether it is a JWT that names an expiry, or that it has none. */
  isJwt: boolean;
  /** The status with which the service last refused it; undefined once it was accepted, or nothing is known. */
  refused?: number | undefined;
}

/**
 * Whether the service has refused a stored token that has not expired: what it last said beats the date of the token.
 * @param now milliseconds since 1970
 */
export function isRefused({ refused, expiresAt }: TokenMetadata, now: number): boolean {
  return refused !== undefined && (expiresAt === undefined || expiresAt > now);
}
