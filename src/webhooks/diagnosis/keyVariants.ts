import { isUtf8 } from 'node:buffer';
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { HeldSecret } from '../../model/secrets/webhookSecret.ts';
import { t } from '../../model/text/l10n.ts';
import type { Cause } from './cause.ts';
import { signedEarlierText, signedWithText } from './secretText.ts';

/** A key that the sender may have signed with, and what was done to a held secret to get it. */
export interface TriedKey {
  /** Not the bytes themselves: each key is tried many times, and Node is far slower with bytes. */
  key: KeyObject;
  causes: Cause[];
  /** Whether it is the secret itself. */
  isPlain: boolean;
}

interface KeyVariant {
  key: Buffer;
  cause: Cause;
}

const prefix = 'whsec_';

/**
 * The keys that people derive from the held secrets, the likeliest first.
 * @param expected the secret that is expected to be used, and so is not named as a cause
 */
export function keyVariants(secrets: readonly HeldSecret[], expected?: HeldSecret): TriedKey[] {
  const found = new Map<string, TriedKey>();
  const add = (key: Buffer, isPlain: boolean, ...causes: Cause[]) => {
    const id = key.toString('latin1');
    if (key.length > 0 && !found.has(id)) found.set(id, { key: createSecretKey(key), causes, isPlain });
  };
  const several = secrets.filter(({ until }) => until === undefined).length > 1;
  const which = (held: HeldSecret): Cause[] => {
    const { owner, until } = held;
    if (held === expected) return [];
    if (until !== undefined && owner.kind !== 'once') {
      return [{ kind: 'earlierSecret', text: signedEarlierText(owner) }];
    }
    return several ? [{ kind: 'secretOf', text: signedWithText({ owner }) }] : [];
  };
  for (const held of secrets) add(Buffer.from(held.secret), true, ...which(held));
  for (const held of secrets) {
    for (const { key, cause } of variantsOf(held.secret)) add(key, false, ...which(held), cause);
  }
  return [...found.values()];
}

function variant(key: string | Buffer, kind: string, text: string): KeyVariant {
  return { key: Buffer.from(key), cause: { kind, text } };
}

function* variantsOf(secret: string): Generator<KeyVariant> {
  yield* withoutSurroundings(secret);
  yield* withSurroundings(secret);
  const trimmed = secret.trim();
  const bare = trimmed.startsWith(prefix) ? trimmed.slice(prefix.length) : undefined;
  if (bare === undefined) {
    const text = t(
      'the caller\'s secret has "whsec_" before it and the one kept here has not: set both to the same',
    );
    yield variant(prefix + secret, 'secretPrefix', text);
  } else {
    const text = t(
      'the caller\'s secret has no "whsec_" before it and the one kept here has: set both to the same',
    );
    yield variant(bare, 'secretPrefix', text);
  }
  const encoded = bare ?? trimmed;
  if (/^[\w+/-]+={0,2}$/.test(encoded)) {
    const text = t('the secret was decoded from base64 before it signed: the key is its text as it is');
    yield variant(Buffer.from(encoded, 'base64'), 'secretDecoded', text);
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(encoded)) {
    const text = t('the secret was decoded from hexadecimal before it signed: the key is its text as it is');
    yield variant(Buffer.from(encoded, 'hex'), 'secretDecoded', text);
  }
  const text = t('the secret was encoded in base64 before it signed: the key is its text as it is');
  yield variant(Buffer.from(secret).toString('base64'), 'secretEncoded', text);
  yield* inOtherCharsets(secret);
}

/** The bytes of a secret beyond ASCII, where UTF-8 was taken for Latin-1 or Windows-1252 or the other way round. */
function* inOtherCharsets(secret: string): Generator<KeyVariant> {
  if (!/[^\0-\x7f]/.test(secret)) return;
  if (!/[^\0-\xff]/.test(secret)) {
    const key = Buffer.from(secret, 'latin1');
    const text = isUtf8(key)
      ? t('the secret kept here was read as Latin-1 and encoded in UTF-8 once more: set it again')
      : t('the secret was taken as Latin-1 where it signed: the key is its UTF-8 bytes');
    yield variant(key, 'secretCharset', text);
  }
  const bytes = Buffer.from(secret);
  for (const misread of [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)]) {
    const text = t(
      "the caller's secret was read as Latin-1 and encoded in UTF-8 once more: the key is its UTF-8 bytes",
    );
    yield variant(misread, 'secretCharset', text);
  }
}

/** The caller's copy with what a file, a shell or a `.env` line leaves around it. */
function* withSurroundings(secret: string): Generator<KeyVariant> {
  const newline = t("the caller's secret has a newline at its end: remove it there");
  const space = t("the caller's secret has white space around it: remove it there");
  const quotes = t("the caller's secret has quotation marks around it: remove them there");
  const surroundings = [
    ['', '\n', newline],
    ['', '\r\n', newline],
    ['', '\r', newline],
    ['', ' ', space],
    ['', '\t', space],
    [' ', '', space],
    [' ', ' ', space],
    ['\n', '', t("the caller's secret has a newline before it: remove it there")],
    ['"', '"', quotes],
    ["'", "'", quotes],
  ] as const;
  for (const [before, after, text] of surroundings) {
    yield variant(before + secret + after, 'aroundSecret', text);
  }
}

/** The kept secret without the white space and the quotation marks around it. */
function* withoutSurroundings(secret: string): Generator<KeyVariant> {
  const trimmed = secret.trim();
  if (trimmed !== secret) yield variant(trimmed, 'aroundSecret', spaceText(secret));
  const unquoted = /^(["'])(.+)\1$/s.exec(trimmed)?.[2];
  if (unquoted !== undefined) {
    const text = t('the secret kept here has quotation marks around it: set it without them');
    yield variant(unquoted, 'aroundSecret', text);
  }
}

function spaceText(secret: string): string {
  if (!/^\s*[\r\n]|[\r\n]\s*$/.test(secret)) {
    return t('the secret kept here has white space around it: set it without');
  }
  return secret.trimStart() === secret
    ? t('the secret kept here has a newline at its end: set it without')
    : t('the secret kept here has a newline around it: set it without');
}
