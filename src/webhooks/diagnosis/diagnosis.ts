import type { Verdict } from '../../model/deliveries/delivery.ts';
import { type HeldSecret, isOnlyCurrent } from '../../model/secrets/webhookSecret.ts';
import type { Cause } from './cause.ts';
import {
  type Effort,
  type FoundCauses,
  type Searched,
  findCauses,
  inPassing,
  verifyingSecrets,
} from './causeSearch.ts';
import { isInMilliseconds } from './framings.ts';
import { readLeniently } from '../signature/lenientSignature.ts';
import {
  type MalformedHeader,
  type SignatureHeaders,
  readSignature,
  verify,
} from '../signature/signature.ts';
import { t } from '../../model/text/l10n.ts';
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
    const text = t('the service signed with another form of the secret than Runhook gave it with this run');
    return { ...cause, text };
  }
  if (cause.kind !== 'earlierSecret') return cause;
  return {
    ...cause,
    text: t('signed with the secret that Runhook gave it then: run it again for the current one'),
  };
}
