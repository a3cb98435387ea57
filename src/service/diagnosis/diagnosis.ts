import type { Verdict } from '../../contract/delivery.ts';
import type { Trial } from '../explanation/explanationPicture.ts';
import { type HeldSecret, isOnlyCurrent } from '../signature/webhookSecret.ts';
import { pastText, spanText } from '../../shared/text/durationText.ts';
import { t } from '../../shared/text/l10n.ts';
import {
  type MalformedHeader,
  type SignatureHeaders,
  readLeniently,
  readSignature,
  verify,
} from '../signature/signature.ts';
import { bodyChanges } from './bodyChanges.ts';
import { type Cause, signedEarlierText, signedWithText } from './cause.ts';
import {
  type Effort,
  type FoundCauses,
  type Searched,
  findCauses,
  inPassing,
  verifyingSecrets,
} from './causeSearch.ts';
import { isInMilliseconds } from './framings.ts';
import { secretChanges } from './secretChanges.ts';

/** A delivery, and what it is checked with. */
export interface Evidence extends Searched {
  /** How far the timestamp may lie from the clock; 0 does not check it. */
  toleranceSeconds: number;
  /** How hard to search; `inPassing` by default. */
  effort?: Effort;
  /** Whether Runhook itself sent the secret along with the run. */
  isGiven?: boolean;
}

/** What is right or wrong with the signature of a delivery. */
export type Diagnosis =
  /** `isOnly`: it is the only current secret of any owner, so it need not be named. */
  | { kind: 'verified'; secret: HeldSecret; isOnly: boolean }
  | { kind: 'stale'; ageSeconds: number; inMilliseconds: boolean }
  | { kind: 'unsigned' | 'no-secret' }
  /** `causes` says what is unusual about a signature header, if a digest can be recognised in it. */
  | { kind: 'malformed'; problem: MalformedHeader; causes: Cause[]; isCut: boolean }
  /** The causes explain the received signature; none if the fitting secret was stored after the delivery came. */
  | ({ kind: 'explained' } & FoundCauses)
  /** `isCut`: the effort ended before everything was tried. `isBodyRight`: the body is that of the run's response. */
  | { kind: 'unexplained'; isCut: boolean; isBodyRight?: true };

/**
 * Finds out why a delivery does not verify, by trying the usual mistakes. It never decides whether a delivery is
 * genuine: only {@link verify} does.
 */
export function diagnose(evidence: Evidence): Diagnosis {
  const { headers, body, clock, toleranceSeconds } = evidence;
  const verifying = verifyingSecrets(evidence);
  const texts = verifying.map(({ secret }) => secret);
  const check = verify(headers, body, texts, clock, toleranceSeconds);
  if (check.verdict !== 'verified') return diagnoseRefused(check.verdict, evidence);
  const secret = verifying[check.secretIndex];
  if (secret === undefined) throw new TypeError('Verified by a secret that is not held.');
  return { kind: 'verified', secret, isOnly: isOnlyCurrent(secret, verifying) };
}

/** Diagnoses a delivery that is known not to verify. Verifying it again would hash the body once for each secret. */
export function diagnoseRefused(verdict: Exclude<Verdict, 'verified'>, evidence: Evidence): Diagnosis {
  const diagnosis = searched(verdict, evidence);
  return evidence.isGiven === true && diagnosis.kind === 'explained'
    ? { ...diagnosis, causes: diagnosis.causes.map(ofGivenSecret) }
    : diagnosis;
}

function searched(verdict: Exclude<Verdict, 'verified'>, evidence: Evidence): Diagnosis {
  if (verdict === 'unsigned' || verdict === 'no-secret') return { kind: verdict };
  const read = readSignature(evidence.headers);
  if (read.kind === 'unsigned') return { kind: 'unsigned' };
  if (read.kind === 'malformed') {
    return read.problem === 'signature'
      ? diagnoseMalformed(evidence)
      : { kind: 'malformed', problem: read.problem, causes: [], isCut: false };
  }
  if (verdict !== 'stale') return diagnoseMismatch(read, evidence);
  const ageSeconds = evidence.clock - Number(read.timestamp);
  return { kind: 'stale', ageSeconds, inMilliseconds: isInMilliseconds(read.timestamp) };
}

function diagnoseMalformed(evidence: Evidence): Diagnosis {
  const lenient = readLeniently(evidence.headers);
  if (lenient === undefined) return { kind: 'malformed', problem: 'signature', causes: [], isCut: false };
  const { found, isCut } = findCauses(lenient.signed, evidence, evidence.effort ?? inPassing);
  return found === undefined
    ? { kind: 'malformed', problem: 'signature', causes: lenient.causes, isCut }
    : { kind: 'explained', ...found, causes: [...lenient.causes, ...found.causes] };
}

function diagnoseMismatch(signed: SignatureHeaders, evidence: Evidence): Diagnosis {
  const { found, isCut } = findCauses(signed, evidence, evidence.effort ?? inPassing);
  if (found !== undefined) return { kind: 'explained', ...found };
  const { runAnswer, body } = evidence;
  const isBodyRight = runAnswer !== undefined && Buffer.compare(runAnswer, body) === 0;
  return { kind: 'unexplained', isCut, ...(isBodyRight && { isBodyRight }) };
}

const changed = new Set(secretChanges.map(({ kind }) => kind));

/** Rewords a cause for a run whose secret Runhook itself sent: no copy of the caller's is to blame. */
function ofGivenSecret(cause: Cause): Cause {
  if (changed.has(cause.kind)) {
    const text = t(
      'other form of secret: the service did not sign with the secret as Runhook sent it with this run',
    );
    return { ...cause, text };
  }
  if (cause.kind !== 'earlierSecret') return cause;
  return {
    ...cause,
    text: t('earlier secret of the run: run again to use the current one'),
  };
}

/**
 * Why a delivery does not verify: the one text for its row, its line in the output, its `reason` and its explanation.
 * Undefined if it verifies.
 */
export function reasonOf(verdict: Verdict, evidence: Evidence): string | undefined {
  return verdict === 'verified' ? undefined : diagnosisText(diagnoseRefused(verdict, evidence));
}

/**
 * A diagnosis as text that says what to change, for the end of a delivery's line and for its `reason`. Undefined if
 * there is nothing to say.
 */
export function diagnosisText(diagnosis: Diagnosis): string | undefined {
  switch (diagnosis.kind) {
    case 'verified':
      return verifiedText(diagnosis);
    case 'stale':
      return staleText(diagnosis);
    case 'unsigned':
      return t('no signature header: send X-Webhook-Secret with the run');
    case 'no-secret':
      return t('not verified: set the webhook secret');
    case 'malformed':
      return malformedText(diagnosis);
    case 'explained':
      return (
        causesText(diagnosis.causes) ||
        t('secret set too late: it was set only after the delivery had arrived')
      );
    case 'unexplained':
      return unexplainedText(diagnosis);
  }
}

function verifiedText({ secret, isOnly }: Diagnosis & { kind: 'verified' }): string | undefined {
  if (isOnly) return undefined;
  return secret.until === undefined || secret.owner.kind === 'once'
    ? signedWithText(secret)
    : signedEarlierText(secret.owner);
}

function staleText({ ageSeconds, inMilliseconds }: Diagnosis & { kind: 'stale' }): string {
  if (inMilliseconds) return t('sent in milliseconds: send Unix seconds');
  return ageSeconds > 0
    ? t(
        '{0} old on arrival: the signature is correct, so it is an old delivery sent again, or a clock is wrong',
        pastText(ageSeconds * 1000),
      )
    : t(
        'dated {0} ahead: the signature is correct, so one of the two clocks is wrong',
        spanText(-ageSeconds * 1000),
      );
}

function malformedText({ problem, causes }: Diagnosis & { kind: 'malformed' }): string {
  switch (problem) {
    case 'signature':
      return causesText(causes) || t('odd signature header: it is not "v1," and 64 hexadecimal digits');
    case 'requestIdMissing':
      return t('no X-Request-Id: it is part of what is signed, and a proxy may have removed it');
    case 'timestampMissing':
      return t('no timestamp: it is part of what is signed, and a proxy may have removed it');
    case 'timestampNotANumber':
      return t('timestamp not a number: send Unix seconds');
    case 'timestampNotSeconds':
      return t(
        'timestamp not in seconds: send Unix seconds as digits only, at most 13, without a fraction or a leading zero',
      );
  }
}

/** Whether a reason that was found before says more than a diagnosis that has found no cause. */
export function saysMore(reason: string, diagnosis: Diagnosis): boolean {
  const { isBodyRight } = diagnosis.kind === 'unexplained' ? diagnosis : {};
  const noMore = [true, false].flatMap((isCut) => [
    unexplainedText({ isCut }),
    unexplainedText({ isCut, isBodyRight }),
  ]);
  return !noMore.includes(reason);
}

/** No more than is known: neither of the two is blamed. */
function unexplainedText({ isCut, isBodyRight }: { isCut: boolean; isBodyRight?: true | undefined }): string {
  const differs = isBodyRight
    ? t("secret or signature differs: the body is that of the run's response")
    : t('secret or body differs');
  return isCut ? t('{0}: see Explain Delivery', differs) : differs;
}

function causesText(causes: readonly Cause[]): string {
  return causes.map(({ text }) => text).join(t('; and '));
}

/** The trials, each with the kinds of causes that it covers, in the order in which a person would look. */
function tried(): [label: string, ...kinds: string[]][] {
  const rows = (table: readonly { kind: string; label: () => string }[]) =>
    table.map(({ kind, label }): [string, string] => [label(), kind]);
  return [
    [t('another secret set here, or an earlier one'), 'earlierSecret', 'secretOf'],
    ...rows(secretChanges),
    [t('the timestamp in another unit'), 'timestampUnit'],
    [t('another request id, from the headers or the body'), 'requestIdRewritten'],
    [t('other parts signed, or in another order'), 'signedContent'],
    ...rows(bodyChanges),
    [
      t('a signature header written in another way'),
      ...['signaturePrefix', 'signatureInCapitals', 'signatureInBase64'],
    ],
    [t('a signature with a digit changed'), 'signatureDigits'],
  ];
}

/**
 * The result of each trial; empty if no cause had to be searched for.
 * @param kinds the kinds of causes that were tried
 */
export function trialsOf(diagnosis: Diagnosis, kinds: ReadonlySet<string>): Trial[] {
  const found = new Set('causes' in diagnosis ? diagnosis.causes.map(({ kind }) => kind) : []);
  if (found.size === 0 && kinds.size === 0) return [];
  const isWhole = diagnosis.kind !== 'explained' && !('isCut' in diagnosis && diagnosis.isCut);
  return tried().map(([label, ...of]): Trial => {
    if (of.some((kind) => found.has(kind))) return { label, result: 'fits' };
    if (of.some((kind) => kinds.has(kind))) return { label, result: 'no' };
    return { label, result: isWhole || of.includes('signaturePrefix') ? 'absent' : 'skipped' };
  });
}
