import { bareName, isJsonObject } from '../../shared/json/jsonObject.ts';
import { t } from '../../shared/text/l10n.ts';
import { readTimestamp } from '../../shared/text/timestamp.ts';
import { UserError } from '../../shared/text/userError.ts';

/** The claims of a token. They are not verified here: the service does that. */
export type Claims = Record<string, unknown>;

/** A token that lives longer than this gets a warning. In milliseconds: a leap year. */
export const longLifeMs = 366 * 24 * 60 * 60 * 1000;

/** Names of claims that are known to hold the project; white space, `_` and `-` do not count. */
const projectClaims = ['projectid', 'project', 'pid'];

/**
 * Extracts the token from pasted text: strips white space around it, a leading `Authorization:` or `Bearer`, and
 * quotes around the token or the whole.
 * @throws UserError if it is empty or no header can carry it
 */
export function cleanToken(pasted: string): string {
  const value = unquoted(pasted).replace(/^authorization:\s*/i, '');
  const token = unquoted(value.replace(/^bearer(\s+|$)/i, ''));
  if (token === '') throw new UserError(t('The token is empty.'));
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UserError(t('The token contains white space or characters that no token has.'));
  }
  return token;
}

function unquoted(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .trim();
}

/** The longest JWT that is read, in characters. No header carries a longer one. */
const longestJwt = 64 * 1024;

/** The claims of a JWT; undefined if the token is not a JWT. */
export function readClaims(token: string): Claims | undefined {
  if (token.length > longestJwt) return undefined;
  const [header, payload, signature, ...rest] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    return undefined;
  }
  if (readPart(header) === undefined) return undefined;
  return readPart(payload);
}

/** Whether a text looks like a token: a JWT, or a header with one. Ids and names must never look like that. */
export function looksLikeToken(text: string): boolean {
  return /^\s*["']?(?:authorization:|bearer\s+\S)/i.test(text) || /^\s*["']?eyJ[\w-]{8,}\.[\w-]/.test(text);
}

function readPart(part: string): Claims | undefined {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Not base64 or not JSON, so not a JWT.
    return undefined;
  }
}

/** When a token expires by its claim `exp`, in milliseconds since 1970; undefined without one that can be read. */
export function tokenExpiry(token: string): number | undefined {
  const exp = readClaims(token)?.['exp'];
  const seconds = typeof exp === 'string' && /^\d{1,11}$/.test(exp.trim()) ? Number(exp) : exp;
  const at =
    typeof seconds === 'number' && Math.abs(seconds) < 1e11 ? seconds * 1000 : readTimestamp(seconds);
  return at !== undefined && Math.abs(at) <= 8.64e15 ? at : undefined;
}

/** Whether a token is a JWT that names no expiry. One that names it in a way that cannot be read may have one. */
export function hasNoExpiry(token: string): boolean {
  const claims = readClaims(token);
  return claims !== undefined && (claims['exp'] ?? undefined) === undefined;
}

/** The project that the claims name; undefined if they name none. */
export function claimedProject(claims: Claims): string | undefined {
  const named = Object.entries(claims).find(([name, value]) => {
    return projectClaims.includes(bareName(name)) && typeof value === 'string' && value !== '';
  });
  return named?.[1] as string | undefined;
}

/**
 * The warnings about a token before it is stored; none of them prevents that. The service recommends expiry dates
 * and rotation (service-interface.md, section 5).
 * @param now milliseconds since 1970
 */
export function tokenWarnings(token: string, projectId: string, now: number): string[] {
  const claims = readClaims(token);
  if (claims === undefined) return [t('This is not a JWT, so its project and its expiry are unknown.')];
  const warnings: string[] = [];
  const other = claimedProject(claims);
  if (other !== undefined && other !== projectId) {
    warnings.push(t('This token says that it belongs to the project {0}.', other));
  }
  const at = tokenExpiry(token);
  if (hasNoExpiry(token)) warnings.push(neverExpires());
  else if (at === undefined) warnings.push(t('This token has an expiry date that cannot be read.'));
  else if (at <= now) warnings.push(t('This token has expired.'));
  else if (at - now > longLifeMs) {
    warnings.push(t('This token is valid for more than a year. A shorter lifetime with rotation is safer.'));
  }
  return warnings;
}

/** The warning about a JWT without an expiry date. */
export function neverExpires(): string {
  return t('This token never expires. Tokens with an expiry date are safer.');
}
