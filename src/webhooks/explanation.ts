import type { Translate } from '../model/translate.ts';
import { masked } from '../model/masking.ts';
import { padded, textWidth } from '../model/textWidth.ts';
import { diagnose, type Diagnosis, type Evidence, thorough, verifyingSecrets } from './diagnosis.ts';
import { diagnosisText } from './diagnosisText.ts';
import { readLeniently } from './lenientSignature.ts';
import { sign, type SignatureHeaders } from './signature.ts';

/** How much of a body is shown. */
const shownBytes = 2048;

/**
 * Why a delivery verifies or does not, as a text for a document: what is wrong and what to change, what was
 * signed, and the expected signature beside the received one. Holds no secret.
 */
export function explain(evidence: Evidence, t: Translate): string {
  const diagnosis = diagnose({ ...evidence, effort: thorough });
  const lenient = readLeniently(evidence.headers);
  const secret = diagnosis.kind === 'verified' ? diagnosis.secret : verifyingSecrets(evidence)[0];
  const sections = [
    summary(diagnosis, t),
    lenient && signedContent(lenient.signed, evidence.body, t),
    lenient && secret && signatures(lenient.signed, evidence, secret.secret, diagnosis, t),
    checks(t),
  ];
  return withoutSecrets(
    `${sections.filter((one) => typeof one === 'string').join('\n\n')}\n`,
    evidence.secrets.map((held) => held.secret),
  );
}

/** A body may hold the secret, such as that of an app that answers with what it was sent. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.trim() !== '')
    .reduce((safe, secret) => safe.replaceAll(secret, masked).replaceAll(secret.trim(), masked), text);
}

function summary(diagnosis: Diagnosis, t: Translate): string {
  const why = diagnosisText(diagnosis, t);
  switch (diagnosis.kind) {
    case 'verified':
      return t('The signature is right.') + (why === undefined ? '' : `\n${sentence(why)}`);
    case 'stale':
      return `${t('The signature is right and the timestamp is not.')}\n${sentence(why ?? '')}`;
    case 'unsigned':
    case 'no-secret':
    case 'malformed':
      return `${t('The signature could not be checked.')}\n${sentence(why ?? '')}`;
    case 'explained':
    case 'unexplained':
      return `${t('The signature is not right.')}\n${sentence(why ?? '')}`;
  }
}

function sentence(clause: string): string {
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;
}

function signedContent({ requestId, timestamp }: SignatureHeaders, body: Uint8Array, t: Translate): string {
  const date = new Date(Number(timestamp) * 1000);
  const when = Number.isNaN(date.getTime()) ? '' : ` (${date.toISOString()})`;
  return [
    t('Signed content: request id, timestamp and raw body, joined with dots'),
    ...columns([
      [t('request id'), visible(requestId)],
      [t('timestamp'), `${timestamp}${when}`],
      [t('body'), t('{0} bytes', body.byteLength)],
    ]),
    '',
    ...visible(`${requestId}.${timestamp}.${start(body, t)}`)
      .split('\n')
      .map((line) => `  | ${line}`),
  ].join('\n');
}

function start(body: Uint8Array, t: Translate): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, shownBytes));
  const rest = body.byteLength - shownBytes;
  return rest > 0 ? `${text}\n${t('… and {0} more bytes', rest)}` : text;
}

function signatures(
  signed: SignatureHeaders,
  { body }: Evidence,
  secret: string,
  diagnosis: Diagnosis,
  t: Translate,
): string {
  const expected = sign(secret, signed.requestId, signed.timestamp, body);
  const received = signed.signature.toLowerCase();
  return [
    t('Signature: hexadecimal HMAC-SHA256 of the signed content, keyed with the secret'),
    ...columns([
      [t('secret'), masked],
      [t('expected'), `v1,${expected}`],
      [t('received'), `v1,${received}`],
    ]),
    `  ${expected === received ? t('The two are equal.') : t('The two differ.')}`,
    ...(diagnosis.kind === 'explained'
      ? [`  ${t('With what is said above put right, the expected signature is the one received.')}`]
      : []),
  ].join('\n');
}

/** Names and values below each other, however long the names are in that language. */
function columns(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => textWidth(name)));
  return rows.map(([name, value]) => `  ${padded(name, width)}  ${value}`);
}

function checks(t: Translate): string {
  return [
    t('What a receiver does'),
    `  1. ${t('Takes the raw body, before any parser.')}`,
    `  2. ${t('Removes "v1," from the signature header.')}`,
    `  3. ${t('Joins X-Request-Id, the timestamp header and the raw body with dots.')}`,
    `  4. ${t('Makes the hexadecimal HMAC-SHA256 of it, keyed with the secret.')}`,
    `  5. ${t('Compares the two in constant time.')}`,
  ].join('\n');
}

/** Control and formatting characters as pictures or escapes, so that nothing hides; newlines stay. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (one) => {
    if (one === '\n') return one;
    const code = one.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}
