import type { Failure } from './messageSchema.ts';

/** The outcome of starting a listener program. The program prints each as one line. */
export type ProgramStart =
  /** It is running, and waits for another program to end. */
  | { kind: 'waiting' }
  | { kind: 'ready' }
  /** The folder already has a program. */
  | { kind: 'taken' }
  | { kind: 'failed'; failure: Failure };
