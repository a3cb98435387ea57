import type { Verdict } from '../../model/deliveries/delivery.ts';
import type {
  AllSignatures,
  ExplanationPicture,
  ShownSignatures,
} from '../../model/explanations/explanationPicture.ts';
import { SecretMask } from '../../model/masking/secretMask.ts';
import { t } from '../../model/text/l10n.ts';
import type { Cause } from '../diagnosis/cause.ts';
import { type Effort, inPassing, verifyingSecrets } from '../diagnosis/causeSearch.ts';
import { diagnose, type Diagnosis, type Evidence } from '../diagnosis/diagnosis.ts';
import { diagnosisText } from '../diagnosis/diagnosisText.ts';
import { trialsOf } from '../diagnosis/trials.ts';
import { readLeniently } from '../signature/lenientSignature.ts';
import { sign, signatureMatches, type SignatureHeaders } from '../signature/signature.ts';
import { explanationText } from './explanationText.ts';
import { signedBlocks } from './signedBlocks.ts';

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
  const lines = about ? heading(about, diagnosis) : [];
  const picture: ExplanationPicture = {
    kind: diagnosis.kind === 'verified' ? 'right' : lenient ? 'wrong' : 'unchecked',
    about: lines.map((line) => mask.text(line)),
    headline: headline(diagnosis),
    reasons: reasonsOf(diagnosis).map((reason) => mask.text(reason)),
    blocks: lenient ? signedBlocks(lenient.signed, evidence.body, mask) : [],
    ...(signatures && { signatures: signatures.shown }),
    notes: signatures?.notes ?? [],
    trials: trialsOf(diagnosis, tried),
  };
  // A header may hold a secret, for example of an app that echoes what it was sent.
  const text = mask.text(explanationText(picture));
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
  // guard S97: Held secrets are masked in an explanation.
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
