/** A JWT with these claims, like a service account's token. Its signature is invalid. */
export function jwt(claims: Record<string, unknown>, signature = 'no signature'): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${Buffer.from(signature).toString('base64url')}`;
}
