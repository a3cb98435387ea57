import { t } from '../../shared/text/l10n.ts';

/** A stretch of the signed content. */
export interface VisibleRun {
  kind: 'text' | 'space' | 'lineEnd' | 'control';
  /** As it was signed, with secrets masked. */
  text: string;
  /** Shown in place of invisible characters: `·`, `→`, `⏎`. */
  mark?: string;
}

/** One of the parts that are signed. */
export interface SignedBlock {
  part: 'requestId' | 'timestamp' | 'body';
  /** The name of the part. */
  label: string;
  /** Further information: a date, a size. */
  note?: string;
  /** Bytes that are not text are shown as hexadecimal digits. */
  as: 'text' | 'hex';
  start: VisibleRun[];
  /** How many bytes are left out after the start. */
  omitted: number;
  end: VisibleRun[];
}

/** Signatures with their `v1,`. One is left out if it would make a request verify that does not. */
export interface ShownSignatures {
  expected?: string;
  received?: string;
}

/** Both signatures, for the screen only. */
export type AllSignatures = Required<ShownSignatures>;

/** The result of a trial. `absent`: nothing of the kind was there. `skipped`: an earlier finding made it needless. */
export type TrialResult = 'fits' | 'no' | 'absent' | 'skipped';

/** A possible cause that was checked. */
export interface Trial {
  label: string;
  result: TrialResult;
}

/** Why the handler did not take the delivery, though Runhook did. */
export interface HandlerPicture {
  headline: string;
  reasons: string[];
  /** Whether it responded at all; absent if it did not get the delivery. */
  isAnswered?: boolean;
  /** Whether another address may mend it: it responded 404 or 405, or redirects. */
  isElsewhere?: boolean;
  /** The line at which it failed: `handler.ts:42`. */
  place?: string;
}

/**
 * Why a delivery verifies or not, for its page and for its text. It holds no secret, and no signature that would make
 * anything verify except the delivery that already does.
 */
export interface ExplanationPicture {
  kind: 'right' | 'wrong' | 'unchecked';
  /** Lines about the delivery itself; empty for a pasted request. */
  about: string[];
  /** Said before all else. */
  handler?: HandlerPicture;
  headline: string;
  /** Why, and what to change. */
  reasons: string[];
  /** Empty if nothing was signed. */
  blocks: SignedBlock[];
  signatures?: ShownSignatures;
  /** Remarks on the signatures. */
  notes: string[];
  trials: Trial[];
}

/** For each digit of the first text, whether the second text has a different one there. */
export function differingDigits(one: string, other: string): boolean[] {
  return Array.from(one, (digit, at) => digit !== other[at]);
}

/** How a receiver verifies a signature, for comparison with the user's own receiver. */
export function receiverSteps(): string[] {
  return [
    t('Takes the raw body, before any parser.'),
    t('Removes "v1," from the signature header.'),
    t('Joins X-Request-Id, the timestamp header and the raw body with dots.'),
    t('Computes its hexadecimal HMAC-SHA256, keyed with the secret.'),
    t('Compares the two in constant time.'),
    t('Rejects an old timestamp, so that nobody can send a recorded webhook again.'),
  ];
}
