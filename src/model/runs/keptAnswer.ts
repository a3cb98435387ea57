import type { AnswerView } from './runAnswerText.ts';

/** What is shown of an answer and stands nowhere else: with its run it is the whole document. JSON. */
export interface KeptAnswer extends Pick<AnswerView, 'url' | 'results' | 'head' | 'body'> {
  /** The sandbox ran it, which tells how its webhook fared. */
  isSandbox: boolean;
  /** What holds the whole body, where it is no text or too long. */
  file?: string;
}
