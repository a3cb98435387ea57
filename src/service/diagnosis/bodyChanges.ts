import { t } from '../../shared/text/l10n.ts';
import type { TriedChange } from './cause.ts';
import { nestedJson, numberForms, pythonBytes, pythonText, rewrittenJson, sortedJson } from './jsonForms.ts';

/** A body as it arrived, and what is known about it. */
export interface ReceivedBody {
  bytes: Buffer;
  text: string;
  /** The JSON tokens of the body; undefined if it is not JSON, or has too many. */
  tokens: readonly string[] | undefined;
  /** What the service answered to the run that the delivery belongs to: the body is to be the same. */
  runAnswer?: Uint8Array;
}

type Tried = Iterable<[body: string | Uint8Array, text: string]>;

/** One row of the table of changes to a body. */
interface BodyChange extends TriedChange<ReceivedBody, string | Uint8Array> {
  /** Whether it tries so much that only a thorough search goes through it. */
  isLong?: true;
}

/** What a proxy, a tunnel, a parser or the sender does to a body after or before it is signed, the likeliest first. */
export const bodyChanges: readonly BodyChange[] = [
  { kind: 'bodyDiffers', label: () => t("the body of the run's response"), of: fromRunAnswer },
  {
    kind: 'trailingNewline',
    label: () => t('the body with or without a newline at its end'),
    of: trailingNewline,
  },
  { kind: 'notTheBody', label: () => t('something else in place of the body'), of: notTheBody },
  { kind: 'reserialised', label: () => t('the JSON of the body written in another way'), of: reserialised },
  { kind: 'lineEndings', label: () => t('the body with other line endings'), of: lineEndings },
  { kind: 'charset', label: () => t('the body in another character set'), of: charset },
  {
    kind: 'nestedJson',
    label: () => t('JSON put into a JSON string, or taken out of one'),
    of: nested,
  },
  {
    kind: 'numbersRewritten',
    label: () => t('the numbers of the body written in another way'),
    of: numbers,
    isLong: true,
  },
  { kind: 'keysSorted', label: () => t('the keys of the body in another order'), of: sorted, isLong: true },
];

function* fromRunAnswer({ bytes, runAnswer }: ReceivedBody): Tried {
  if (runAnswer !== undefined) yield [runAnswer, differenceText(bytes, runAnswer)];
}

/** Where a body differs from the one that was signed. Of either only one byte is told: they may hold secrets. */
function differenceText(bytes: Buffer, signed: Uint8Array): string {
  const shorter = Math.min(bytes.length, signed.length);
  let at = 0;
  while (at < shorter && bytes[at] === signed[at]) at += 1;
  if (bytes.length === signed.length) {
    let count = 0;
    for (let place = at; place < shorter; place += 1) if (bytes[place] !== signed[place]) count += 1;
    return count === 1
      ? t(
          "body changed: byte {0} is {1}, and {2} in the run's response",
          at + 1,
          byteText(bytes[at] ?? 0),
          byteText(signed[at] ?? 0),
        )
      : t("body changed: {0} bytes from byte {1} on differ from the run's response", count, at + 1);
  }
  return t(
    "body changed: it has {0} bytes and the run's response {1}, and they differ from byte {2} on",
    bytes.length,
    signed.length,
    at + 1,
  );
}

function byteText(byte: number): string {
  return byte > 0x20 && byte < 0x7f
    ? `"${String.fromCharCode(byte)}"`
    : `0x${byte.toString(16).padStart(2, '0')}`;
}

function* trailingNewline({ bytes }: ReceivedBody): Tried {
  for (const newline of ['\n', '\r\n']) {
    yield [
      Buffer.concat([bytes, Buffer.from(newline)]),
      t('body lost its newline: the one at its end was lost after it was signed'),
    ];
    if (bytes.subarray(-newline.length).equals(Buffer.from(newline))) {
      yield [
        bytes.subarray(0, -newline.length),
        t('newline after body: it was added after the body was signed'),
      ];
    }
  }
}

/** What a program signs that has no longer, or not yet, the text of the body in its hands. */
function* notTheBody({ bytes, tokens }: ReceivedBody): Tried {
  const read = t('empty body signed: something had already read the body');
  yield ['', read];
  for (const text of [
    '[object Object]',
    '[object Promise]',
    '[object ArrayBuffer]',
    'undefined',
    'null',
    '{}',
  ]) {
    yield [text, t('signed "{0}": sign the text that is sent', text)];
  }
  yield [pythonBytes(bytes), t("b'…' around body: sign the bytes themselves")];
  const python = tokens && pythonText(tokens);
  if (python !== undefined) {
    yield [python, t('body as Python dict: sign the text that is sent')];
  }
  for (const encoding of ['base64', 'hex'] as const) {
    yield [bytes.toString(encoding), t('body in {0}: sign the bytes that are sent', encoding)];
  }
}

function* reserialised({ tokens = [] }: ReceivedBody): Tried {
  const text = t('body re-serialised: a proxy or a JSON parser changed it on the way');
  for (const one of rewrittenJson(tokens)) yield* withNewline(one, text);
}

function* withNewline(body: string, text: string): Tried {
  yield [body, text];
  yield [`${body}\n`, text];
}

function* numbers({ tokens = [] }: ReceivedBody): Tried {
  const text = t(
    'numbers differ: they were written in another way after the body was signed, such as 12 for 12.0',
  );
  for (const changed of numberForms(tokens)) {
    for (const one of rewrittenJson(changed)) yield* withNewline(one, text);
  }
}

function* sorted({ tokens, text: body }: ReceivedBody): Tried {
  if (tokens === undefined) return;
  const text = t('JSON keys sorted: sign the text that is sent');
  for (const one of sortedJson(tokens, body)) yield [one, text];
}

function* nested({ tokens, text: body }: ReceivedBody): Tried {
  if (tokens === undefined) return;
  const text = t(
    'nested JSON differs: it was put into a JSON string, or taken out of one, after it was signed',
  );
  for (const one of nestedJson(tokens, body)) yield [one, text];
}

function* lineEndings({ bytes }: ReceivedBody): Tried {
  const latin1 = bytes.toString('latin1');
  const unix = latin1.replaceAll('\r\n', '\n');
  for (const other of [unix, unix.replaceAll('\n', '\r\n')]) {
    if (other !== latin1) {
      yield [Buffer.from(other, 'latin1'), t('line endings changed: those of the body, on the way')];
    }
  }
}

function* charset({ bytes }: ReceivedBody): Tried {
  const text = t(
    'other character set: the body was signed in one and sent in another, so sign the bytes that are sent',
  );
  const latin1 = bytes.toString('latin1');
  const decoded = bytes.toString('utf8');
  if (!Buffer.from(decoded).equals(bytes)) {
    yield [decoded, text];
    yield [Buffer.from(latin1, 'utf8'), text];
  } else if (decoded !== latin1) {
    yield [Buffer.from(decoded, 'latin1'), text];
  }
}
