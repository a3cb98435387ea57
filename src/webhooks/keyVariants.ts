import { isUtf8 } from 'node:buffer';
import type { Cause } from './cause.ts';

/** A key that the sender may have signed with, and what it did to the secret to get there. */
export interface KeyVariant {
  key: Buffer;
  causes: Cause[];
}

const prefix = 'whsec_';

/**
 * The keys that people make of a secret, the likeliest first.
 * @param secrets the current one, then earlier ones
 */
export function keyVariants(secrets: readonly string[]): KeyVariant[] {
  const found = new Map<string, KeyVariant>();
  const add = (key: Buffer, ...causes: Cause[]) => {
    const id = key.toString('latin1');
    if (key.length > 0 && !found.has(id)) found.set(id, { key, causes });
  };
  const earlier = (index: number): Cause[] => (index === 0 ? [] : [{ kind: 'earlierSecret' }]);
  secrets.forEach((secret, index) => add(Buffer.from(secret), ...earlier(index)));
  secrets.forEach((secret, index) => {
    for (const { key, causes } of variantsOf(secret)) add(key, ...earlier(index), ...causes);
  });
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
