import type { Verdict } from '../../model/deliveries/delivery.ts';
import { masked } from '../../model/masking/masking.ts';
import { SecretMask } from '../../model/masking/secretMask.ts';
import { padded, textWidth } from '../../model/text/textWidth.ts';
import { t } from '../../model/text/l10n.ts';
import { verifyingSecrets } from '../diagnosis/causeSearch.ts';
import { diagnose, type Diagnosis, type Evidence } from '../diagnosis/diagnosis.ts';
import { diagnosisText } from '../diagnosis/diagnosisText.ts';
import { readLeniently } from '../signature/lenientSignature.ts';
import { sign, signatureMatches, type SignatureHeaders } from '../signature/signature.ts';

/** How much of a body is shown. */
const shownBytes = 2048;

/** A signature that would make a delivery verify which does not, and the line of the text that it is left out of. */
export interface HiddenSignature {
  line: number;
  /** With its `v1,`. */
  signature: string;
}

/** Why a delivery verifies or does not. */
export interface Explanation {
  /**
   * For a document, and for whoever reads it there, a program or a model too. It holds no secret, and no signature
   * that would make anything verify but the delivery that does.
   */
  text: string;
  /** For the screen alone. */
  hidden: HiddenSignature[];
}

/** What is known of a delivery besides what was signed. */
export interface About {
  /** What the text begins with. */
  lines: readonly string[];
  /** What verification said when it came. */
  verdict: Verdict;
}

/** What is wrong and what to change, what was signed, and the expected signature beside the received one. */
export function explain(evidence: Evidence, about?: About): Explanation {
  const diagnosis = diagnose(evidence);
  const lenient = readLeniently(evidence.headers);
  const mask = maskOf(evidence);
  const table = lenient && signatures(lenient.signed, evidence, diagnosis);
  const sections = [
    about && heading(about, diagnosis),
    summary(diagnosis),
    lenient && signedContent(lenient.signed, evidence.body, mask),
    table?.text,
    checks(),
  ];
  // A body or a header may hold a secret, such as that of an app that answers with what it was sent. What is drawn in
  // its own way was masked before.
  const text = mask.text(`${sections.filter((one) => typeof one === 'string').join('\n\n')}\n`);
  const lines = text.split('\n');
  // What a body says of itself stands before: of two lines that are alike, the last is ours.
  const hidden = (table?.hidden ?? []).map(({ row, signature }) => ({
    line: lines.lastIndexOf(row),
    signature,
  }));
  return { text, hidden: hidden.filter(({ line }) => line >= 0) };
}

function heading({ lines, verdict }: About, diagnosis: Diagnosis): string {
  const isLost = verdict === 'verified' && diagnosis.kind !== 'verified';
  return [...lines, ...(isLost ? [t('The secret that verified it is no longer kept.')] : [])].join('\n');
}

function maskOf({ secrets, only }: Evidence): SecretMask {
  // guard: the secrets that are held are masked in it, however they are written
  return new SecretMask([...secrets, ...(only ? [only] : [])].map(({ secret }) => secret));
}

function summary(diagnosis: Diagnosis): string {
  const isCut = 'isCut' in diagnosis && diagnosis.isCut;
  // What is not known as not all was tried is said at greater length here.
  const why = isCut && diagnosis.kind === 'unexplained' ? undefined : diagnosisText(diagnosis);
  return [
    headline(diagnosis),
    ...(why === undefined ? [] : [`${why.charAt(0).toUpperCase()}${why.slice(1)}.`]),
    ...(isCut ? [cutText()] : []),
  ].join('\n');
}

function headline({ kind }: Diagnosis): string {
  switch (kind) {
    case 'verified':
      return t('The signature is right.');
    case 'stale':
      return t('The signature is right and the timestamp is not.');
    case 'unsigned':
    case 'no-secret':
    case 'malformed':
      return t('The signature could not be checked.');
    case 'explained':
    case 'unexplained':
      return t('The signature is not right.');
  }
}

function cutText(): string {
  return t(
    'None of the causes that were tried fits. Not all were tried: with a body like this it would take too long.',
  );
}

function signedContent(
  { requestId, timestamp }: SignatureHeaders,
  body: Uint8Array,
  mask: SecretMask,
): string {
  const date = new Date(Number(timestamp) * 1000);
  const when = Number.isNaN(date.getTime()) ? '' : ` (${date.toISOString()})`;
  return [
    t('Signed content: request id, timestamp and raw body, joined with dots'),
    ...columns([
      [t('request id'), visible(mask.text(requestId))],
      [t('timestamp'), `${timestamp}${when}`],
      [t('body'), t('{0} bytes', body.byteLength)],
    ]),
    '',
    ...visible(mask.text(`${requestId}.${timestamp}.${start(body, mask)}`))
      .split('\n')
      .map((line) => `  | ${line}`),
  ].join('\n');
}

function start(body: Uint8Array, mask: SecretMask): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, shownBytes));
  const rest = body.byteLength - shownBytes;
  return rest > 0 ? `${mask.start(text)}\n${t('… and {0} more bytes', rest)}` : text;
}

/** The two signatures below each other, and those that are left out with the rows they are left out of. */
function signatures(
  signed: SignatureHeaders,
  evidence: Evidence,
  diagnosis: Diagnosis,
): { text: string; hidden: { row: string; signature: string }[] } | undefined {
  const { body } = evidence;
  const held = verifyingSecrets(evidence).map(({ secret }) => secret);
  const secret = held.find((one) => signatureMatches(signed, one, body)) ?? held[0];
  if (secret === undefined) return undefined;
  const expected = `v1,${sign(secret, signed.requestId, signed.timestamp, body)}`;
  const received = `v1,${signed.signature}`;
  // What is stale may be in time later: it may be dated ahead.
  const isRight = diagnosis.kind === 'verified';
  // guard: no signature that would make anything verify
  // guard: without the expected signature of what does not verify
  const rows = [
    { name: t('secret'), value: masked, isHidden: false },
    { name: t('expected'), value: expected, isHidden: !isRight },
    { name: t('received'), value: received, isHidden: !isRight && mayFit(diagnosis) },
  ];
  const lines = columns(rows.map(({ name, value, isHidden }) => [name, isHidden ? t('hidden') : value]));
  const notes = [expected === received ? t('The two are equal.') : t('The two differ.')];
  if (diagnosis.kind === 'explained') {
    notes.push(t('Once the above is corrected, the expected signature is the one received.'));
  }
  if (!isRight) {
    notes.push(t('The hidden signature would make a request verify, so it is shown on your screen only.'));
  }
  const title = t('Signature: hexadecimal HMAC-SHA256 of the signed content, keyed with the secret');
  return {
    text: [title, ...lines, ...notes.map((note) => `  ${note}`)].join('\n'),
    hidden: rows.flatMap(({ value, isHidden }, at) =>
      isHidden ? [{ row: lines[at] ?? '', signature: value }] : [],
    ),
  };
}

/** Whether the received signature may be right for something else than what came, so that whoever has it can send that. */
function mayFit(diagnosis: Diagnosis): boolean {
  switch (diagnosis.kind) {
    case 'explained':
      // guard: without a received one that may be right for something else
      return diagnosis.isKeyHeld;
    case 'unexplained':
    case 'malformed':
      return diagnosis.isCut;
    default:
      return true;
  }
}

/** Names and values below each other, however long the names are in that language. */
function columns(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => textWidth(name)));
  return rows.map(([name, value]) => `  ${padded(name, width)}  ${value}`);
}

function checks(): string {
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
