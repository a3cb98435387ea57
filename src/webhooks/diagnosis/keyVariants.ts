import { isUtf8 } from 'node:buffer';
import type { HeldSecret } from '../../model/secrets/webhookSecret.ts';
import type { Cause } from './cause.ts';

/** A key that the sender may have signed with, and what it did to the secret to get there. */
export interface KeyVariant {
  key: Buffer;
  causes: Cause[];
}

/** A key made of one of the secrets that are held. */
export interface TriedKey extends KeyVariant {
  /** Whether it is the secret itself. */
  isPlain: boolean;
}

const prefix = 'whsec_';

/**
 * The keys that people make of the secrets that are held, the likeliest first.
 * @param expected the secret that need not be named
 */
export function keyVariants(secrets: readonly HeldSecret[], expected?: HeldSecret): TriedKey[] {
  const found = new Map<string, TriedKey>();
  const add = (key: Buffer, isPlain: boolean, ...causes: Cause[]) => {
    const id = key.toString('latin1');
    if (key.length > 0 && !found.has(id)) found.set(id, { key, causes, isPlain });
  };
  const several = secrets.filter(({ until }) => until === undefined).length > 1;
  const which = (held: HeldSecret): Cause[] => {
    const { owner, until } = held;
    if (held === expected) return [];
    if (until !== undefined && owner.kind !== 'once') return [{ kind: 'earlierSecret', owner }];
    return several ? [{ kind: 'secretOf', owner }] : [];
  };
  for (const held of secrets) add(Buffer.from(held.secret), true, ...which(held));
  for (const held of secrets) {
    for (const { key, causes } of variantsOf(held.secret)) add(key, false, ...which(held), ...causes);
  }
  return [...found.values()];
}

function* variantsOf(secret: string): Generator<KeyVariant> {
  yield* withoutSurroundings(secret);
  for (const [before, after, around, where] of surroundings) {
    const cause: Cause = { kind: 'aroundSecret', copy: 'callers', around, where };
    yield { key: Buffer.from(before + secret + after), causes: [cause] };
  }
  const bare = secret.trim().startsWith(prefix) ? secret.trim().slice(prefix.length) : undefined;
  if (bare === undefined) {
    yield { key: Buffer.from(prefix + secret), causes: [{ kind: 'secretPrefix', copy: 'callers' }] };
  } else {
    yield { key: Buffer.from(bare), causes: [{ kind: 'secretPrefix', copy: 'kept' }] };
  }
  const encoded = bare ?? secret.trim();
  if (/^[\w+/-]+={0,2}$/.test(encoded)) {
    yield { key: Buffer.from(encoded, 'base64'), causes: [{ kind: 'secretDecoded', encoding: 'base64' }] };
  }
  if (/^(?:[0-9a-f]{2})+$/i.test(encoded)) {
    yield { key: Buffer.from(encoded, 'hex'), causes: [{ kind: 'secretDecoded', encoding: 'hex' }] };
  }
  yield { key: Buffer.from(Buffer.from(secret).toString('base64')), causes: [{ kind: 'secretEncoded' }] };
  yield* inOtherCharsets(secret);
}

/** The bytes of a secret beyond ASCII, where UTF-8 was taken for Latin-1 or Windows-1252 or the other way round. */
function* inOtherCharsets(secret: string): Generator<KeyVariant> {
  if (!/[^\0-\x7f]/.test(secret)) return;
  if (!/[^\0-\xff]/.test(secret)) {
    const key = Buffer.from(secret, 'latin1');
    yield { key, causes: [{ kind: 'secretCharset', how: isUtf8(key) ? 'keptTwice' : 'asLatin1' }] };
  }
  const bytes = Buffer.from(secret);
  for (const misread of [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)]) {
    yield { key: Buffer.from(misread), causes: [{ kind: 'secretCharset', how: 'callersTwice' }] };
  }
}

/** What a file, a shell or a `.env` line leaves around the caller's copy. */
const surroundings = [
  ['', '\n', 'newline', 'end'],
  ['', '\r\n', 'newline', 'end'],
  ['', '\r', 'newline', 'end'],
  ['', ' ', 'space', 'end'],
  ['', '\t', 'space', 'end'],
  [' ', '', 'space', 'start'],
  [' ', ' ', 'space', 'both'],
  ['\n', '', 'newline', 'start'],
  ['"', '"', 'quotes', 'both'],
  ["'", "'", 'quotes', 'both'],
] as const;

/** The kept copy without what stands around it. */
function* withoutSurroundings(secret: string): Generator<KeyVariant> {
  const variant = (text: string, around: 'newline' | 'space' | 'quotes', start: boolean, end: boolean) => {
    const where = start && end ? 'both' : start ? 'start' : 'end';
    const cause: Cause = { kind: 'aroundSecret', copy: 'kept', around, where };
    return { key: Buffer.from(text), causes: [cause] };
  };
  const trimmed = secret.trim();
  if (trimmed !== secret) {
    const start = secret.trimStart() !== secret;
    const end = secret.trimEnd() !== secret;
    const removed = secret.replace(trimmed, '');
    yield variant(trimmed, /[\r\n]/.test(removed) ? 'newline' : 'space', start, end);
  }
  const unquoted = /^(["'])(.+)\1$/s.exec(trimmed)?.[2];
  if (unquoted !== undefined) yield variant(unquoted, 'quotes', true, true);
}
