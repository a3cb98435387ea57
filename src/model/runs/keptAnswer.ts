import type { AnswerView } from './runAnswerText.ts';

/** What stands in no other place of an answer, but for its body. JSON. */
export interface AnswerRecord extends Pick<AnswerView, 'url' | 'results' | 'head'> {
  /** The sandbox ran it, which tells how its webhook fared. */
  isSandbox: boolean;
}

/** An answer's body, as far as it has come or is kept. */
export interface KeptBody {
  /** As much as is shown, and more. */
  beginning: Uint8Array;
  /** How much has come. */
  bytes: number;
  /** How many of these bytes are on the disk, and the path of the file that has them. */
  kept: number;
  file?: string;
  /** Why it is not kept as it should be. */
  problem?: string;
  /** More may come. */
  isComing?: boolean;
}

/** With its run it is the whole document. */
export interface KeptAnswer extends AnswerRecord {
  body?: KeptBody;
}
