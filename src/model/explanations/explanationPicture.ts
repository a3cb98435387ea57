/** A stretch of what was signed. */
export interface Run {
  kind: 'text' | 'space' | 'lineEnd' | 'control';
  /** As it was signed, with secrets masked. */
  text: string;
  /** Shown for what would not be seen: `·`, `→`, `␍␊`. */
  mark?: string;
}

/** One of the parts that are signed. */
export interface SignedBlock {
  part: 'requestId' | 'timestamp' | 'body';
  /** The name of the part. */
  label: string;
  /** What is known of it besides: a date, a size. */
  note?: string;
  /** Bytes that are no text are shown by their hexadecimal digits. */
  as: 'text' | 'hex';
  start: Run[];
  /** How many bytes are left out after the start. */
  omitted: number;
  end: Run[];
}

/** A signature with its `v1,`; absent where it is left out: it would make a request verify which does not. */
export interface ShownSignatures {
  expected?: string;
  received?: string;
}

/** The same for the screen alone. */
export type AllSignatures = Required<ShownSignatures>;

/** How a cause was tried: nothing of the kind was there, or what was found before made it needless. */
export type TrialResult = 'fits' | 'no' | 'absent' | 'skipped';

/** A cause that was looked for. */
export interface Trial {
  label: string;
  result: TrialResult;
}

/** Why a delivery verifies or does not, as a page draws it. It holds what the text of the explanation may hold, and no more. */
export interface ExplanationPicture {
  kind: 'right' | 'wrong' | 'unchecked';
  /** What is said of the delivery itself; none of a request that was pasted. */
  about: string[];
  headline: string;
  /** Why, and what to change. */
  reasons: string[];
  /** None where nothing was signed. */
  blocks: SignedBlock[];
  signatures?: ShownSignatures;
  /** What is to be said of the signatures. */
  notes: string[];
  trials: Trial[];
}

/** For each digit of the one whether it is another in the other. */
export function differingDigits(one: string, other: string): boolean[] {
  return Array.from(one, (digit, at) => digit !== other[at]);
}
