/** One reason why a signature does not match: a mistake where it was made, or a change on the way. */
export interface Cause {
  /** Identifies the cause; never translated. */
  kind: string;
  /** What to change: a clause, without a full stop. */
  text: string;
}
