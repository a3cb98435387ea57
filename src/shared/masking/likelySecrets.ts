import { bareName } from '../json/jsonObject.ts';

/** The replacement for a secret. It reveals nothing of the secret, not even its length. */
export const masked = '••••••••';

/** Names of fields whose value is a secret, whatever it looks like; white space, `_` and `-` do not count. */
const secretField =
  /^(key|keyvalue|.*(?:secret|api|access|private|signing)key|value|.*token|.*secret|.*password|pwd|passwd|passphrase|credentials?|authorization|bearer|jwt)$/;

/** Similar names of fields that only describe a secret. */
const harmlessField = /^(tokentype|tokenid|tokenname|keyid|keyname|nextpagetoken|nexttoken|pagetoken)$/;

/** Text that may contain a JWT. Matches only from the start of a run: trying each character would be quadratic. */
// guard S91: The search for tokens takes time in proportion to the text.
const dotted = /(?<![\w-])[\w-]+\.[\w.-]+/g;
// Minimum lengths are checked afterwards: a pattern that counts uses stack space for every character.
const bearer = /\b(bearer|basic)\s+[\w.~+/=-]{3}[\w.~+/=-]{3}[\w.~+/=-]*/gi;
const prefixed = /\b(?:sk|pk|rk|ghp|gho|ghs|whsec|xox[abp])[_-]([A-Za-z0-9_+/=-]+)/g;
const named = /\b(?:pat|key|tok|token|secret)[_-]([A-Za-z0-9_+/=-]+)/g;
const long = /[A-Za-z0-9_+/=-]+/g;

/** A quick check: a text with a match for any of these passes it. Most texts have none, and lists are long. */
const suspicious = /eyJ|bearer|basic|[A-Za-z0-9_+/=-]{19}/i;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The text without anything that looks like a token or a secret: JWTs, bearer credentials, strings with a
 * known prefix, and long strings that mix letters with digits. UUIDs are ids and stay.
 */
export function maskSecrets(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .replace(dotted, maskJwt)
    .replace(bearer, (_, scheme: string) => `${scheme} ${masked}`)
    .replace(prefixed, (run, value: string) => (value.length < 16 ? run : masked))
    .replace(named, (run, value: string) => (value.length < 16 || !looksRandom(run) ? run : masked))
    .replace(long, (run) => (run.length < 32 || !looksRandom(run) ? run : masked));
}

/** Masks everything from the first part that may be the header of a JWT and is followed by another part. */
function maskJwt(run: string): string {
  const parts = run.split('.');
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const start = part.indexOf('eyJ');
    const followed = (parts[index + 1] ?? '') !== '';
    if (start >= 0 && part.length - start > 6 && followed) return run.slice(0, at + start) + masked;
    at += part.length + 1;
  }
  return run;
}

function looksRandom(run: string): boolean {
  return /[A-Za-z]/.test(run) && /[0-9]/.test(run) && !uuid.test(run);
}

/** Values nested deeper are left out. */
const deepest = 50;

/** Whether a field of that name holds a secret. */
export function isSecretField(name: string): boolean {
  const bare = bareName(name);
  return secretField.test(bare) && !harmlessField.test(bare);
}

/** Whether a header of that name carries credentials. */
export function isCredentialHeader(name: string): boolean {
  return isSecretField(name) || /^(?:proxy-authorization|(?:set-)?cookie)$/i.test(name);
}

/**
 * A JSON value with every secret masked: strings that look like one, and strings in a field whose name says
 * that it holds one, or several of them.
 * @param isSecret whether the value is that of such a field
 */
export function maskJson(value: unknown, isSecret = false, depth = 0): unknown {
  // guard S83: What looks like a token is masked.
  if (typeof value === 'string') return isSecret ? masked : maskSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '…';
  if (Array.isArray(value)) return value.map((one) => maskJson(one, isSecret, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      maskSecrets(name),
      maskJson(inner, isSecretField(name), depth + 1),
    ]),
  );
}
