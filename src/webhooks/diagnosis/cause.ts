/** One thing that was done differently where the signature was made, or that happened on the way. */
export interface Cause {
  /** Names it in every language. */
  kind: string;
  /** What to change: a clause, without a full stop. */
  text: string;
}
