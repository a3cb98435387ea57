import { createHmac, randomBytes } from 'node:crypto';

/**
 * A new bearer token of the kind the interface document shows (section 5): a JWT with an expiry and the
 * project. Nobody has to verify it: the sandbox knows the tokens it made.
 * @param expiresAt Unix milliseconds
 */
export function mintToken(
  projectId: string,
  serviceAccountId: string,
  now: number,
  expiresAt: number,
): string {
  const header = encode({ alg: 'HS256', typ: 'JWT' });
  const claims = encode({
    iss: 'runhook-sandbox',
    sub: serviceAccountId,
    project_id: projectId,
    iat: Math.floor(now / 1000),
    exp: Math.floor(expiresAt / 1000),
    jti: randomBytes(16).toString('hex'),
  });
  const signature = createHmac('sha256', randomBytes(32)).update(`${header}.${claims}`).digest('base64url');
  return `${header}.${claims}.${signature}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
