import type { Verdict } from '../../model/deliveries/delivery.ts';
import type {
  AllSignatures,
  ExplanationPicture,
  ShownSignatures,
} from '../../model/explanations/explanationPicture.ts';
import { masked } from '../../model/masking/masking.ts';
import { SecretMask } from '../../model/masking/secretMask.ts';
import { padded, textWidth } from '../../model/text/textWidth.ts';
import { t } from '../../model/text/l10n.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { type Effort, inPassing, verifyingSecrets } from '../diagnosis/causeSearch.ts';
import { diagnose, type Diagnosis, type Evidence } from '../diagnosis/diagnosis.ts';
import { diagnosisText } from '../diagnosis/diagnosisText.ts';
import { trialsOf } from '../diagnosis/trials.ts';
import { readLeniently } from '../signature/lenientSignature.ts';
import { sign, signatureMatches, type SignatureHeaders } from '../signature/signature.ts';
import { signedBlocks } from './signedBlocks.ts';
import { visible } from './visible.ts';

/** How much of a body is shown, in bytes. */
const shownBytes = 2048;

/** Why a delivery verifies or does not. */
export interface Explanation {
  /**
   * For any reader, including programs and models that get a copy. It holds no secret, and no signature that would
   * make anything verify except the delivery that already does.
   */
  text: string;
  /** The same as data for a graphical view. */
  picture: ExplanationPicture;
  /** Why it does not verify, as `reasonOf` has it; undefined if it does, or if the search was only begun. */
  reason?: string;
  /** Both signatures in full, which text and picture may leave out. For the user's screen only. */
  signatures?: AllSignatures;
}

/** What is known about a delivery besides its signed content. */
export interface About {
  /** The first lines of the text. */
  lines: readonly string[];
  /** The verdict when the delivery arrived. */
  verdict: Verdict;
}

/** Explains what is wrong and what to change, what was signed, and the expected signature beside the received one. */
export function explain(evidence: Evidence, about?: About): Explanation {
  const tried = new Set<string>();
  const effort: Effort = {
    ...(evidence.effort ?? inPassing),
    tries: (causes: readonly Cause[]) => causes.forEach(({ kind }) => tried.add(kind)),
  };
  const diagnosis = diagnose({ ...evidence, effort });
  const lenient = readLeniently(evidence.headers);
  const mask = maskOf(evidence);
  const signatures = lenient && signaturesOf(lenient.signed, evidence, diagnosis);
  const aboutLines = about ? heading(about, diagnosis) : [];
  const reasons = reasonsOf(diagnosis);
  const sections = [
    about && aboutLines.join('\n'),
    [headline(diagnosis), ...reasons].join('\n'),
    lenient && signedContent(lenient.signed, evidence.body, mask),
    signatures && signatureText(signatures.shown, signatures.notes),
    checks(),
  ];
  // A body or a header may hold a secret, for example of an app that echoes what it was sent. Content whose
  // characters are replaced for display was masked before that.
  const text = mask.text(`${sections.filter((one) => typeof one === 'string').join('\n\n')}\n`);
  const picture: ExplanationPicture = {
    kind: diagnosis.kind === 'verified' ? 'right' : lenient ? 'wrong' : 'unchecked',
    about: aboutLines.map((line) => mask.text(line)),
    headline: headline(diagnosis),
    reasons: reasons.map((reason) => mask.text(reason)),
    blocks: lenient ? signedBlocks(lenient.signed, evidence.body, mask) : [],
    ...(signatures && { signatures: signatures.shown }),
    notes: signatures?.notes ?? [],
    trials: trialsOf(diagnosis, tried),
  };
  const isWhole = effort.isPartial !== true && diagnosis.kind !== 'verified';
  const reason = isWhole ? diagnosisText(diagnosis) : undefined;
  return {
    ...{ text, picture },
    ...(reason !== undefined && { reason }),
    ...(signatures && { signatures: signatures.all }),
  };
}

function heading({ lines, verdict }: About, diagnosis: Diagnosis): string[] {
  const isLost = verdict === 'verified' && diagnosis.kind !== 'verified';
  return [...lines, ...(isLost ? [t('The secret that verified it is no longer kept.')] : [])];
}

function maskOf({ secrets, only }: Evidence): SecretMask {
  // guard: the secrets that are held are masked in it
  return new SecretMask([...secrets, ...(only ? [only] : [])].map(({ secret }) => secret));
}

function reasonsOf(diagnosis: Diagnosis): string[] {
  const isCut = 'isCut' in diagnosis && diagnosis.isCut;
  // For a search that was cut short, `cutText` says at greater length that the cause is not known.
  const why = isCut && diagnosis.kind === 'unexplained' ? undefined : diagnosisText(diagnosis);
  return [
    ...(why === undefined ? [] : [`${why.charAt(0).toUpperCase()}${why.slice(1)}.`]),
    ...(isCut ? [cutText()] : []),
  ];
}

function headline({ kind }: Diagnosis): string {
  switch (kind) {
    case 'verified':
      return t('The signature matches.');
    case 'stale':
      return t('The signature matches, but the timestamp is out of range.');
    case 'unsigned':
    case 'no-secret':
    case 'malformed':
      return t('The signature could not be checked.');
    case 'explained':
    case 'unexplained':
      return t('The signature does not match.');
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

interface Signatures {
  all: AllSignatures;
  shown: ShownSignatures;
  notes: string[];
}

/** Both signatures, and those of them that may be shown to anybody. */
function signaturesOf(
  signed: SignatureHeaders,
  evidence: Evidence,
  diagnosis: Diagnosis,
): Signatures | undefined {
  const { body } = evidence;
  const held = verifyingSecrets(evidence).map(({ secret }) => secret);
  const secret = held.find((one) => signatureMatches(signed, one, body)) ?? held[0];
  if (secret === undefined) return undefined;
  const expected = `v1,${sign(secret, signed.requestId, signed.timestamp, body)}`;
  const received = `v1,${signed.signature}`;
  // `stale` is not enough: a delivery that is dated ahead becomes valid later.
  const isRight = diagnosis.kind === 'verified';
  const notes = [expected === received ? t('The two are equal.') : t('The two differ.')];
  if (diagnosis.kind === 'explained') {
    notes.push(t('Once this is corrected, the two signatures match.'));
  }
  if (!isRight) {
    notes.push(t('The hidden signature would make a request verify, so it is shown on your screen only.'));
  }
  return {
    all: { expected, received },
    // guard: no signature that would make anything verify
    // guard: without the expected signature of what does not verify
    shown: { ...(isRight && { expected }), ...((isRight || !mayFit(diagnosis)) && { received }) },
    notes,
  };
}

/** The two signatures, one below the other. */
function signatureText({ expected, received }: ShownSignatures, notes: readonly string[]): string {
  const title = t('Signature: hexadecimal HMAC-SHA256 of the signed content, keyed with the secret');
  const lines = columns([
    [t('secret'), masked],
    [t('expected'), expected ?? t('hidden')],
    [t('received'), received ?? t('hidden')],
  ]);
  return [title, ...lines, ...notes.map((note) => `  ${note}`)].join('\n');
}

/** Whether the received signature may be valid for other content, which anybody who sees it could then send. */
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

/** Names and values in two aligned columns, however long the translated names are. */
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
