import { hash } from 'node:crypto';
import type { Cause } from './cause.ts';
import { encodeStrings, type Layout, layOut } from '../../model/json/jsonText.ts';

/** A body that the sender may have signed, and what happened to it until it arrived. */
export interface BodyVariant {
  body: Uint8Array;
  cause: Cause;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * What a body may have been before a proxy, a tunnel or a parser changed it, the likeliest first.
 * @param tokens those of its JSON, where it is JSON
 */
export function* bodyVariants(
  received: Uint8Array,
  tokens: readonly string[] | undefined,
): Generator<BodyVariant> {
  const body = Buffer.from(received.buffer, received.byteOffset, received.byteLength);
  yield* trailingNewline(body);
  if (body.subarray(0, 3).equals(byteOrderMark)) {
    yield { body: body.subarray(3), cause: { kind: 'byteOrderMark', change: 'added' } };
  } else {
    yield {
      body: Buffer.concat([byteOrderMark, body]),
      cause: { kind: 'byteOrderMark', change: 'removed' },
    };
  }
  if (tokens !== undefined) yield* reserialised(tokens);
  yield* recoded(body);
}

function* trailingNewline(body: Buffer): Generator<BodyVariant> {
  for (const newline of ['\n', '\r\n']) {
    const bytes = Buffer.from(newline);
    yield { body: Buffer.concat([body, bytes]), cause: { kind: 'trailingNewline', change: 'removed' } };
    if (body.length >= bytes.length && body.subarray(-bytes.length).equals(bytes)) {
      yield { body: body.subarray(0, -bytes.length), cause: { kind: 'trailingNewline', change: 'added' } };
    }
  }
}

/** The JSON of the body in the other layouts and escapings that common serialisers write. */
function* reserialised(tokens: readonly string[]): Generator<BodyVariant> {
  const layouts: [Layout, string | undefined][] = [
    ['compact', undefined],
    ['spaced', undefined],
    ['indented', '  '],
    ['indented', '    '],
    ['indented', '\t'],
  ];
  const cause: Cause = { kind: 'reserialised' };
  /** Digests, since the texts may be large. */
  const seen = new Set<string>();
  for (const escaping of ['asItIs', 'none', 'nonAscii', 'nonAsciiAndSlashes', 'html'] as const) {
    const encoded = encodeStrings(tokens, escaping);
    for (const [layout, indent] of layouts) {
      const text = layOut(encoded, layout, indent);
      if (text === undefined) continue;
      const withNewline = Buffer.from(`${text}\n`);
      const digest = hash('sha1', withNewline);
      if (seen.has(digest)) continue;
      seen.add(digest);
      yield { body: withNewline.subarray(0, -1), cause };
      yield { body: withNewline, cause };
    }
  }
}

/** The same text in other bytes: line endings and character sets. */
function* recoded(body: Buffer): Generator<BodyVariant> {
  const text = body.toString('latin1');
  const unix = text.replaceAll('\r\n', '\n');
  for (const other of [unix, unix.replaceAll('\n', '\r\n')]) {
    if (other !== text) yield { body: Buffer.from(other, 'latin1'), cause: { kind: 'lineEndings' } };
  }
  const decoded = body.toString('utf8');
  if (!Buffer.from(decoded).equals(body)) {
    yield { body: Buffer.from(decoded), cause: { kind: 'charset', signedAs: 'utf8' } };
    yield { body: Buffer.from(text, 'utf8'), cause: { kind: 'charset', signedAs: 'utf8' } };
  } else if (decoded !== text) {
    yield { body: Buffer.from(decoded, 'latin1'), cause: { kind: 'charset', signedAs: 'latin1' } };
  }
}
