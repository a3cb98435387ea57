import * as v from 'valibot';
import { nothing, type PageCalls, pageMessageSchema } from '../processes/pageProtocol.ts';
import type { AllSignatures, ExplanationPicture } from './explanationPicture.ts';

/** What the page of an explanation shows. */
export interface ExplanationContent {
  /** The delivery; absent for a request that was pasted. */
  id?: string;
  picture: ExplanationPicture;
}

/** What the webview keeps over a reload. */
export const explanationStateSchema = v.object({ id: v.string() });

const calls = { load: nothing, signatures: nothing, copyAsText: nothing, replay: nothing, open: nothing };

/** The requests of the page to the host. */
export type ExplanationHostCalls = PageCalls<ExplanationContent> & {
  /** Both signatures, for the screen: the user asked to see them. */
  signatures: { takes: object; gives: AllSignatures };
  copyAsText: { takes: object; gives: { said: string } };
  replay: { takes: object; gives: undefined };
  open: { takes: object; gives: undefined };
};

/** The requests of the host to the page. */
export type ExplanationPageCalls = {
  /** There is a new explanation. */
  show: { takes: ExplanationContent; gives: undefined };
};

/** A message as the page sends it. */
export const explanationMessageSchema = pageMessageSchema(calls);
