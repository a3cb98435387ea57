/** One reason why a signature does not match: a mistake where it was made, or a change on the way. */
export interface Cause {
  /** Identifies the cause; never translated. */
  kind: string;
  /** What to change: a clause, without a full stop. */
  text: string;
}

/** One row of a table of changes: what to try, in the user's words, and how. */
export interface Change<Input, Output> {
  /** The kind of its causes. */
  kind: string;
  /** What is tried, for the list of all that was. */
  label: () => string;
  /** What may have been signed, or been the key, and what happened then; the likeliest first. */
  of: (input: Input) => Iterable<[output: Output, text: string]>;
}
