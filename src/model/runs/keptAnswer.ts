import type { AnswerView } from './runAnswerText.ts';

/** The part of an answer that is kept nowhere else, without its body. JSON. */
export interface AnswerRecord extends Pick<AnswerView, 'url' | 'results' | 'head'> {
  /** Whether the sandbox ran it. The sandbox reports what became of its webhook. */
  isSandbox: boolean;
}

/** An answer's body, as far as it has arrived or is kept. */
export interface KeptBody {
  /** At least as much as is shown. */
  beginning: Uint8Array;
  /** How many bytes have arrived. */
  bytes: number;
  /** How many of these bytes are on the disk, and the path of the file that holds them. */
  kept: number;
  file?: string;
  /** Why the body is not kept as it should be. */
  problem?: string;
  /** Whether more may arrive. */
  isComing?: boolean;
}

/** A kept answer. Together with its run it is the whole document. */
export interface KeptAnswer extends AnswerRecord {
  body?: KeptBody;
}
