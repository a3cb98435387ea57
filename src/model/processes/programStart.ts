import type { Failure } from './failure.ts';

/** How the start of a listener program went; a line that it prints each. */
export type ProgramStart =
  /** It is up, and waits for another to end. */
  | { kind: 'waiting' }
  | { kind: 'ready' }
  /** The folder has a program already. */
  | { kind: 'taken' }
  | { kind: 'failed'; failure: Failure };
