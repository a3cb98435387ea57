import { hash } from 'node:crypto';
import type { Cause } from './cause.ts';
import { t } from '../../model/text/l10n.ts';
import { encodeStrings, type Layout, layOut } from '../../model/json/jsonText.ts';

/** A body that the sender may have signed, and what happened to it until it arrived. */
export interface BodyVariant {
  body: Uint8Array;
  cause: Cause;
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * What a body may have been before a proxy, a tunnel or a parser changed it, the likeliest first.
 * @param tokens the JSON tokens of the body; undefined if it is not JSON
 */
export function* bodyVariants(
  received: Uint8Array,
  tokens: readonly string[] | undefined,
): Generator<BodyVariant> {
  const body = Buffer.from(received.buffer, received.byteOffset, received.byteLength);
  yield* trailingNewline(body);
  if (body.subarray(0, 3).equals(byteOrderMark)) {
    const text = t('the body got a byte-order mark after it was signed');
    yield { body: body.subarray(3), cause: { kind: 'byteOrderMark', text } };
  } else {
    const text = t('the body lost its byte-order mark after it was signed');
    yield { body: Buffer.concat([byteOrderMark, body]), cause: { kind: 'byteOrderMark', text } };
  }
  if (tokens !== undefined) yield* reserialised(tokens);
  yield* recoded(body);
}

function* trailingNewline(body: Buffer): Generator<BodyVariant> {
  for (const newline of ['\n', '\r\n']) {
    const bytes = Buffer.from(newline);
    const lost = t('the body lost the newline at its end after it was signed');
    yield { body: Buffer.concat([body, bytes]), cause: { kind: 'trailingNewline', text: lost } };
    if (body.length >= bytes.length && body.subarray(-bytes.length).equals(bytes)) {
      const got = t('the body got a newline at its end after it was signed');
      yield { body: body.subarray(0, -bytes.length), cause: { kind: 'trailingNewline', text: got } };
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
  const text = t('the body was re-serialised on the way: a proxy or a JSON parser changed it');
  const cause: Cause = { kind: 'reserialised', text };
  /** Digests, since the texts may be large. */
  const seen = new Set<string>();
  for (const escaping of ['asItIs', 'none', 'nonAscii', 'nonAsciiAndSlashes', 'html'] as const) {
    const encoded = encodeStrings(tokens, escaping);
    for (const [layout, indent] of layouts) {
      const laidOut = layOut(encoded, layout, indent);
      if (laidOut === undefined) continue;
      const withNewline = Buffer.from(`${laidOut}\n`);
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
  const latin1 = body.toString('latin1');
  const unix = latin1.replaceAll('\r\n', '\n');
  const ends: Cause = {
    kind: 'lineEndings',
    text: t('the line endings of the body were changed on the way'),
  };
  for (const other of [unix, unix.replaceAll('\n', '\r\n')]) {
    if (other !== latin1) yield { body: Buffer.from(other, 'latin1'), cause: ends };
  }
  const text = t(
    'the body was signed in another character set than it was sent in: sign the bytes that are sent',
  );
  const cause: Cause = { kind: 'charset', text };
  const decoded = body.toString('utf8');
  if (!Buffer.from(decoded).equals(body)) {
    yield { body: Buffer.from(decoded), cause };
    yield { body: Buffer.from(latin1, 'utf8'), cause };
  } else if (decoded !== latin1) {
    yield { body: Buffer.from(decoded, 'latin1'), cause };
  }
}
