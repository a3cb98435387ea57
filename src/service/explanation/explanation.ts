import { isUtf8 } from 'node:buffer';
import type { Verdict } from '../../contract/delivery.ts';
import {
  type AllSignatures,
  type ExplanationPicture,
  type HandlerPicture,
  type VisibleRun,
  type ShownSignatures,
  type SignedBlock,
  receiverSteps,
} from './explanationPicture.ts';
import { masked } from '../../shared/masking/likelySecrets.ts';
import { SecretMask } from '../../shared/masking/secretMask.ts';
import { t } from '../../shared/text/l10n.ts';
import { waitText } from '../../shared/text/durationText.ts';
import { momentText } from '../../shared/text/momentText.ts';
import { padded, textWidth } from '../../shared/text/plainText.ts';
import { capitalized, sentence } from '../../shared/text/sentences.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { type Effort, inPassing, verifyingSecrets } from '../diagnosis/causeSearch.ts';
import {
  type Diagnosis,
  type Evidence,
  diagnose,
  diagnosisText,
  saysMore,
  trialsOf,
} from '../diagnosis/diagnosis.ts';
import { type SignatureHeaders, readLeniently, sign, signatureMatches } from '../signature/signature.ts';

/** Why a delivery verifies or does not. */
export interface Explanation {
  /**
   * For any reader, including programs and models that get a copy. It holds no secret, and no signature that would
   * make anything verify except the delivery that already does.
   */
  text: string;
  /** What the text says, and the page draws. */
  picture: ExplanationPicture;
  /** Why it does not verify, as `reasonOf` has it; undefined if it does, or if the search was only begun. */
  reason?: string;
  /** No secret is set that could verify it. */
  lacksSecret?: true;
  /** Both signatures in full, which text and picture may leave out. For the user's screen only. */
  signatures?: AllSignatures;
}

/** What is known about a delivery besides its signed content. */
export interface About {
  /** The first lines of the text. */
  lines: readonly string[];
  /** The verdict when the delivery arrived. */
  verdict: Verdict;
  /** Why it did not verify, as far as that was found before. */
  reason?: string | undefined;
  /** Why the handler did not take it, if that is so. */
  handler?: HandlerPicture | undefined;
}

/**
 * Explains what is wrong and what to change, what was signed, and the expected signature beside the received one.
 * @param format of times
 */
export function explain(evidence: Evidence, about?: About, format?: Intl.DateTimeFormat): Explanation {
  const tried = new Set<string>();
  const effort: Effort = {
    ...(evidence.effort ?? inPassing),
    tries: (causes: readonly Cause[]) => causes.forEach(({ kind }) => tried.add(kind)),
  };
  const diagnosis = diagnose({ ...evidence, effort });
  const lenient = readLeniently(evidence.headers);
  const mask = maskOf(evidence);
  const lost = about && lostJudgement(diagnosis, about);
  const signatures =
    lenient && lost === undefined ? signaturesOf(lenient.signed, evidence, diagnosis) : undefined;
  const judgement = lost ?? judged(diagnosis, evidence, tried, lenient !== undefined);
  const picture: ExplanationPicture = {
    ...judgement,
    reasons: judgement.reasons.map((reason) => mask.text(reason)),
    about: (about?.lines ?? []).map((line) => mask.text(line)),
    ...(about?.handler && { handler: maskedHandler(about.handler, mask) }),
    blocks: lenient ? signedBlocks(lenient.signed, evidence.body, mask, format) : [],
    ...(signatures && { signatures: signatures.shown }),
    notes: signatures?.notes ?? [],
  };
  // A header may hold a secret, for example of an app that echoes what it was sent.
  const text = mask.text(explanationText(picture));
  const isWhole = effort.isPartial !== true && diagnosis.kind !== 'verified' && lost === undefined;
  const reason = isWhole ? diagnosisText(diagnosis) : undefined;
  return {
    ...{ text, picture },
    ...(reason !== undefined && { reason }),
    ...(lost === undefined && diagnosis.kind === 'no-secret' && { lacksSecret: true }),
    ...(signatures && { signatures: signatures.all }),
  };
}

type Judgement = Pick<ExplanationPicture, 'kind' | 'headline' | 'reasons' | 'trials'>;

/** What is said of a delivery of which more was known before, since its secret is gone, for example; else undefined. */
function lostJudgement(diagnosis: Diagnosis, { verdict, reason }: About): Judgement | undefined {
  const known = reason === undefined ? [] : [sentence(capitalized(reason))];
  if (verdict === 'verified' || verdict === 'stale') {
    if (fits(diagnosis)) return undefined;
    const gone = t('The secret that verified it is no longer kept: it cannot be checked again.');
    return {
      ...{ kind: verdict === 'stale' ? 'wrong' : 'unchecked', trials: [] },
      headline: t('The signature matched when it arrived.'),
      reasons: verdict === 'stale' ? [...known, gone] : [gone],
    };
  }
  if (verdict !== 'mismatch') return undefined;
  const found = reason !== undefined && saysMore(reason, diagnosis) ? known : [];
  const mismatch = (why: string): Judgement => ({
    ...{ kind: 'wrong', trials: [] },
    headline: t('The signature did not match when it arrived.'),
    reasons: [...found, why],
  });
  if (diagnosis.kind === 'no-secret')
    return mismatch(t('The secret that it was checked with is no longer kept: it cannot be checked again.'));
  if (diagnosis.kind === 'unexplained' && found.length > 0)
    return mismatch(t('This was found before. With what is kept now it cannot be found again.'));
  return undefined;
}

/** @param isSigned whether its signature can be read, however it is written */
function judged(
  diagnosis: Diagnosis,
  evidence: Evidence,
  tried: ReadonlySet<string>,
  isSigned: boolean,
): Judgement {
  const isChecked = isSigned || diagnosis.kind === 'malformed';
  return {
    kind: diagnosis.kind === 'verified' ? 'right' : isChecked ? 'wrong' : 'unchecked',
    headline: headline(diagnosis, evidence),
    reasons: reasonsOf(diagnosis),
    trials: trialsOf(diagnosis, tried),
  };
}

function maskedHandler({ reasons, ...more }: HandlerPicture, mask: SecretMask): HandlerPicture {
  return { ...more, reasons: reasons.map((reason) => mask.text(reason)) };
}

/** Whether a secret that is held made the signature. */
function fits({ kind }: Diagnosis): boolean {
  return kind === 'verified' || kind === 'stale';
}

function maskOf({ secrets, only }: Evidence): SecretMask {
  // guard S97: Held secrets are masked in an explanation.
  return new SecretMask([...secrets, ...(only ? [only] : [])].map(({ secret }) => secret));
}

function reasonsOf(diagnosis: Diagnosis): string[] {
  const isCut = 'isCut' in diagnosis && diagnosis.isCut;
  // For a search that was cut short, `cutText` says at greater length that the cause is not known.
  const why = isCut && diagnosis.kind === 'unexplained' ? undefined : diagnosisText(diagnosis);
  return [...(why === undefined ? [] : [sentence(capitalized(why))]), ...(isCut ? [cutText()] : [])];
}

function headline({ kind }: Diagnosis, { toleranceSeconds }: Evidence): string {
  switch (kind) {
    case 'verified':
      return t('The signature matches.');
    case 'stale':
      return t(
        'The signature matches, but the timestamp is more than {0} off.',
        waitText(toleranceSeconds * 1000),
      );
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
  return t('None of the causes tried fits. Not all were tried: with this body it would take too long.');
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
    notes.push(
      t(
        'Anyone with the expected signature could make a request verify, so it is shown only on your screen.',
      ),
    );
  }
  return {
    all: { expected, received },
    // guard S124: The text has no signature that would make anything verify.
    // guard S100: The text leaves out the expected signature of a delivery that does not verify.
    shown: { ...(isRight && { expected }), ...((isRight || !mayFit(diagnosis)) && { received }) },
    notes,
  };
}

/** Whether the received signature may be valid for other content, which anybody who sees it could then send. */
function mayFit(diagnosis: Diagnosis): boolean {
  switch (diagnosis.kind) {
    case 'explained':
      // guard S100: The text leaves out a received signature that may be right for another request.
      return diagnosis.isKeyHeld;
    case 'unexplained':
    case 'malformed':
      return diagnosis.isCut;
    default:
      return true;
  }
}

/** What the page of an explanation draws, as text. */
function explanationText(picture: ExplanationPicture): string {
  const { about, handler, headline, reasons, blocks, signatures, notes } = picture;
  const sections = [
    about,
    handler === undefined
      ? []
      : [t('{0}.', handler.headline), ...handler.reasons, handler.place ?? []].flat(),
    [headline, ...reasons],
    blocks.length === 0 ? [] : signedContent(blocks),
    signatures === undefined ? [] : signatureLines(signatures, notes),
    [t('What a receiver does'), ...receiverSteps().map((step, at) => `  ${at + 1}. ${step}`)],
  ];
  const texts = sections.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

function signedContent(blocks: readonly SignedBlock[]): string[] {
  return [
    t('What was checked'),
    `  ${t('Request id, timestamp and raw body as they arrived, joined with dots.')}`,
    ...columns(blocks.map((block) => [block.label, summary(block)])),
    '',
    ...visible(blocks.map(startOf).join('.'))
      .split('\n')
      .map((line) => `  | ${line}`),
  ];
}

function summary({ part, note = '', start }: SignedBlock): string {
  if (part === 'body') return note;
  return visible(runsText(start)) + (note === '' ? '' : ` (${note})`);
}

/** Of a long block its start alone: what it leaves out may name a secret that follows. */
function startOf({ as, start, omitted, end }: SignedBlock): string {
  const [first, last] = [start, end].map((runs) =>
    as === 'hex' ? Buffer.from(runsText(runs).replaceAll(' ', ''), 'hex') : Buffer.from(runsText(runs)),
  );
  const more = omitted + (last?.length ?? 0);
  return `${first?.toString() ?? ''}${more === 0 ? '' : `\n${t('… and {0} more bytes', more)}`}`;
}

function runsText(runs: readonly VisibleRun[]): string {
  return runs.map(({ text }) => text).join('');
}

/** The two signatures, one below the other. */
function signatureLines({ expected, received }: ShownSignatures, notes: readonly string[]): string[] {
  return [
    t('Signature'),
    `  ${t('The hexadecimal HMAC-SHA256 of these, keyed with the secret.')}`,
    ...columns([
      [t('secret'), masked],
      [t('expected'), expected ?? t('hidden')],
      [t('received'), received ?? t('hidden')],
    ]),
    ...notes.map((note) => `  ${note}`),
  ];
}

/** Names and values in two aligned columns, however long the translated names are. */
function columns(rows: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => textWidth(name)));
  return rows.map(([name, value]) => `  ${padded(name, width)}  ${value}`);
}

/** How much of a part is shown, in bytes; a longer part is shown without its middle. */
const shownBytes = 2048;
const endBytes = 512;

/** The signed content in parts: joined with dots, their runs are the signed bytes, unless masked or shortened. */
function signedBlocks(
  { requestId, timestamp }: SignatureHeaders,
  body: Uint8Array,
  mask: SecretMask,
  format?: Intl.DateTimeFormat,
): SignedBlock[] {
  const ms = Number(timestamp) * 1000;
  const isDate = !Number.isNaN(new Date(ms).getTime());
  const isText = isUtf8(body);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return [
    { part: 'requestId', label: t('request id'), as: 'text', ...shortened(headerText(requestId), mask) },
    {
      ...{
        part: 'timestamp',
        label: t('timestamp'),
        ...(isDate && { note: t('Unix seconds: {0}', momentText(ms, format)) }),
      },
      ...{ as: 'text', ...shortened(headerText(timestamp), mask) },
    },
    {
      ...{ part: 'body', label: t('body'), note: t('{0} bytes', body.byteLength) },
      ...{ as: isText ? 'text' : 'hex', ...shortened(isText ? textOf(bytes) : hexOf(bytes), mask) },
    },
  ];
}

/** Bytes, and how to decode and draw them. */
interface Shown {
  bytes: Buffer;
  read: (bytes: Buffer) => string;
  runs: (text: string) => VisibleRun[];
  /** Moves an offset back to the beginning of a character. */
  align: (at: number) => number;
}

/** One character a byte, as headers come. */
function headerText(text: string): Shown {
  const bytes = Buffer.from(text, 'latin1');
  return { bytes, read: (part) => part.toString('latin1'), runs: visibleRuns, align: (at) => at };
}

function textOf(bytes: Buffer): Shown {
  const align = (at: number) => {
    let place = at;
    while (((bytes[place] ?? 0) & 0xc0) === 0x80) place -= 1;
    return place;
  };
  return { bytes, read: (part) => part.toString(), runs: visibleRuns, align };
}

function hexOf(bytes: Buffer): Shown {
  const runs = (text: string): VisibleRun[] => {
    const plain = Buffer.from(text.replaceAll(masked, '*'.repeat(masked.length)), 'latin1');
    const digits = plain.toString('hex').replace(/..(?!$)/g, '$& ');
    return digits === '' ? [] : [{ kind: 'text', text: digits }];
  };
  return { bytes, read: (part) => part.toString('latin1'), runs, align: (at) => at };
}

function shortened(
  { bytes, read, runs, align }: Shown,
  mask: SecretMask,
): Pick<SignedBlock, 'start' | 'omitted' | 'end'> {
  if (bytes.length <= shownBytes) return { start: runs(mask.text(read(bytes))), omitted: 0, end: [] };
  const startsTo = align(shownBytes - endBytes);
  const start = runs(mask.start(read(bytes.subarray(0, startsTo))));
  const endsFrom = align(bytes.length - endBytes);
  // The shown end may begin inside a secret. If a secret is near it, nothing of the end is shown.
  const around = read(bytes.subarray(align(Math.max(0, endsFrom - 4 * mask.margin))));
  if (mask.text(around) !== around) return { start, omitted: bytes.length - startsTo, end: [] };
  return { start, omitted: endsFrom - startsTo, end: runs(read(bytes.subarray(endsFrom))) };
}

/** Splits a text into runs: white space, line ends and control characters get runs of their own. */
function visibleRuns(text: string): VisibleRun[] {
  return [
    ...text.matchAll(/(\r?\n)|( +|\t)|([\p{Cc}\p{Cf}\p{Zl}\p{Zp}])|[^ \p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu),
  ].map(([run, lineEnd, space, control]): VisibleRun => {
    if (lineEnd !== undefined) return { kind: 'lineEnd', text: run, mark: run === '\n' ? '⏎' : 'CR⏎' };
    if (space !== undefined) {
      return { kind: 'space', text: run, mark: run.replaceAll(' ', '·').replaceAll('\t', '→') };
    }
    return control === undefined
      ? { kind: 'text', text: run }
      : { kind: 'control', text: run, mark: visible(run) };
  });
}

/** Control and formatting characters as pictures or escapes, so that nothing hides; newlines stay. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => {
    if (one === '\n') return one;
    const code = one.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}
